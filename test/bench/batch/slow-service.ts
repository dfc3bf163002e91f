/**
 * A program: a service that makes a code of each request, a while after it was asked. Its argument: that while, in
 * milliseconds.
 */
import { createServer } from 'node:http'

const delay = Number(process.argv[2])
let made = 0

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text: string) => (body += text))
  request.on('end', () => {
    const asked: unknown = JSON.parse(body)
    const points = typeof asked === 'object' && asked !== null && 'points' in asked ? Number(asked.points) : 0
    const code = `BENCH${String((made += 1)).padStart(7, '0')}`
    const at = new Date().toISOString()
    const answer = JSON.stringify({
      createdAt: at,
      updatedAt: at,
      code,
      rewardPoints: points,
      status: 'active',
      usedDate: '',
      qrURL: `https://points.example/q/${code}`,
      qrImageURL: ''
    })
    setTimeout(() => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length })
      response.end(answer)
    }, delay)
  })
})
// Connections stay open while the till prints: one that closes just as it is used would lose a code.
server.keepAliveTimeout = 10 * 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address !== 'string')
    console.log(`listening on http://127.0.0.1:${String(address.port)}/api`)
})
