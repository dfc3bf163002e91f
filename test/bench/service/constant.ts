/** A program: answers every request with the same body, the argument. The least that a server in Node does. */
import { createServer } from 'node:http'

const body = process.argv[2] ?? ''
const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) {
    process.stdout.write(`listening on http://127.0.0.1:${address.port}/api\n`)
  }
})
