"""Tests tpp-lsp-server: it speaks the language server protocol over stdio and knows the tpp dialect."""
import json
import subprocess
import unittest

from command_line import BIN

SERVER = BIN / "tpp-lsp-server"
GOOD = """func.func @f(%a: memref<4x8xf32>, %b: memref<8x16xf32>, %c: memref<4x16xf32>) {
  tpp.unary zero outs(%c : memref<4x16xf32>)
  return
}
"""


class Session:
    """A running server. Leaving the with statement shuts it down by the protocol."""

    def __enter__(self):
        self.server = subprocess.Popen([str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0
        self.capabilities = self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})["capabilities"]
        self.notify("initialized", {})
        return self

    def __exit__(self, *failure):
        if failure[0] is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        else:
            self.server.kill()
        self.server.stdin.close()
        self.server.stdout.close()
        self.status = self.server.wait(60)

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.server.stdout.readline()) != b"\r\n":
            if not line:
                raise AssertionError("the server closed its output")
            name, value = line.decode().split(":")
            if name == "Content-Length":
                length = int(value)
        return json.loads(self.server.stdout.read(length))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.number:
            pass
        return message["result"]

    def diagnostics(self, uri, text):
        """Opens a document. Returns the diagnostics that the server publishes for it."""
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "mlir", "version": 1, "text": text}})
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return message["params"]["diagnostics"]

    def hover(self, uri, line, character):
        return self.request("textDocument/hover",
                            {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})


class LspServerTest(unittest.TestCase):

    def test_it_offers_what_editors_use(self):
        with Session() as session:
            for capability in ("hoverProvider", "definitionProvider", "completionProvider"):
                self.assertTrue(session.capabilities.get(capability), capability)
        self.assertEqual(session.status, 0)

    def test_a_tpp_op_is_known(self):
        with Session() as session:
            self.assertEqual(session.diagnostics("test:///good.mlir", GOOD), [])
            hover = session.hover("test:///good.mlir", 1, 4)
            self.assertIn("tpp.unary", json.dumps(hover))

    def test_errors_of_the_verifier_stand_where_they_are(self):
        bad = GOOD.replace("unary zero outs", "unary relu ins(%b : memref<8x16xf32>) outs")
        with Session() as session:
            found = session.diagnostics("test:///bad.mlir", bad)
            self.assertEqual([(each["severity"], each["range"]["start"]["line"]) for each in found], [(1, 1)], found)
            self.assertIn("tpp.unary", found[0]["message"])

    def test_an_unknown_op_of_ours_is_an_error(self):
        with Session() as session:
            found = session.diagnostics("test:///unknown.mlir", GOOD.replace("tpp.unary", "tpp.unarry"))
            self.assertEqual(found[0]["range"]["start"]["line"], 1)
            self.assertIn("tpp", found[0]["message"])


if __name__ == "__main__":
    unittest.main()
