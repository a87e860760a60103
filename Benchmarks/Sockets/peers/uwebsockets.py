"""uWebSockets by socketify: what is posted to /push is published; any message is answered with one text."""

import sys

from socketify import App, AppListenOptions, CompressOptions, OpCode

PORT, DEFLATE, ANSWER = int(sys.argv[1]), sys.argv[2] == "1", sys.argv[3]
app = App()


async def push(response, request):
    body = await response.get_data()
    app.publish("bench", body.getvalue(), OpCode.TEXT, DEFLATE)
    response.end("")


app.ws("/ws", {
    "compression": CompressOptions.SHARED_COMPRESSOR if DEFLATE else CompressOptions.DISABLED,
    "idle_timeout": 0,
    "open": lambda socket: socket.subscribe("bench"),
    "message": lambda socket, message, opcode: socket.send(ANSWER, OpCode.TEXT),
})
app.post("/push", push)
app.listen(AppListenOptions(port=PORT, host="127.0.0.1"))
app.run()
