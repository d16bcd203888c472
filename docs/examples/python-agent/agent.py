"""A worker agent of SyncHub without Node: Python 3.9 or later and its standard library. Start: PORT=4111 python3 agent.py"""
import json, os, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SCHEMA = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
TOOLS = [{"name": "count_words", "description": "Counts the words of a text, line by line", "inputSchema": SCHEMA}]
SECRET, NEWS = os.environ.get("SYNCHUB_AGENT_SECRET"), threading.Condition()
CALLS = {}  # by callId, so that a repeat joins the work or gets its answer again; on disk they would survive a restart

class Call(threading.Thread):
    def __init__(self, arguments):
        super().__init__(daemon=True)
        self.arguments, self.events, self.is_cancelled = arguments, [], False
    def run(self):
        try: self.tell("complete", {"result": {"words": self.count_words(**self.arguments)}})
        except InterruptedError: self.tell("failed", {"error": {"code": -31005, "message": "Cancelled: nobody waits for it"}})
        except Exception as error: self.tell("failed", {"error": {"code": -32603, "message": f"Internal error: {type(error).__name__}"}})
    def count_words(self, text):
        lines, words = text.splitlines(), 0
        for number, line in enumerate(lines, 1):
            if self.is_cancelled: raise InterruptedError
            words += len(line.split())
            time.sleep(0.05)  # real work takes longer
            self.tell("progress", {"progress": number, "total": len(lines), "message": f"line {number} of {len(lines)}"})
        return words
    def tell(self, *event):
        with NEWS: self.events.append(event); NEWS.notify_all()

class Agent(BaseHTTPRequestHandler):
    def log_message(self, *_): pass  # the hub asks for the lists every two seconds
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method, params = request["method"], request.get("params", {})
        if SECRET and self.headers["Authorization"] != f"Bearer {SECRET}": self.send_error(401)
        elif method == "tools/call": self.stream(params["_meta"]["callId"], params["arguments"])
        elif method == "notifications/cancelled": self.cancel(params["requestId"])
        elif method == "tools/list": self.answer({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": TOOLS}})
        else: self.send_error(404)
    def stream(self, call_id, arguments):
        with NEWS:
            if call_id not in CALLS: CALLS[call_id] = Call(arguments); CALLS[call_id].start()
        call, name, sent = CALLS[call_id], "progress", 0
        self.begin("text/event-stream")
        while name == "progress":  # whatever comes after progress is the end
            with NEWS: NEWS.wait_for(lambda: len(call.events) > sent)
            name, data = call.events[sent]
            sent += 1
            self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
    def cancel(self, call_id):
        if call_id in CALLS: CALLS[call_id].is_cancelled = True
        self.send_response(202); self.end_headers()
    def answer(self, message):
        self.begin("application/json")
        self.wfile.write(json.dumps(message).encode())
    def begin(self, media_type):
        self.send_response(200); self.send_header("Content-Type", media_type); self.end_headers()

if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4111"))), Agent).serve_forever()
