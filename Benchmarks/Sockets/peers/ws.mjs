// node ws: what is posted to /push is sent to every client; any message is answered with one text.
import { createServer } from "node:http";
import { createRequire } from "node:module";

const [folder, port, deflate, answer] = process.argv.slice(2);
const { WebSocketServer } = createRequire(import.meta.url)(folder);

const server = createServer((request, response) => {
    const pieces = [];
    request.on("data", piece => pieces.push(piece));
    request.on("end", () => {
        const message = Buffer.concat(pieces);
        for (const client of sockets.clients) client.send(message, { binary: false });
        response.setHeader("Content-Length", 0);
        response.end();
    });
});
const sockets = new WebSocketServer({ server, perMessageDeflate: deflate === "1" });
sockets.on("connection", client => client.on("message", () => client.send(answer, { compress: false })));
server.keepAliveTimeout = 600_000;
server.listen({ port: Number(port), host: "127.0.0.1", backlog: 4096 });
