/** A program: answers every request with the same body, the argument, as the training service does: by hono. */
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createServer } from 'node:http'

const body = process.argv[2] ?? ''
const app = new Hono()
app.get('*', (context) => context.body(body, 200, { 'Content-Type': 'application/json' }))
const listener = getRequestListener((request) => app.fetch(request), { hostname: '127.0.0.1' })
const server = createServer((request, response) => void listener(request, response))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) {
    process.stdout.write(`listening on http://127.0.0.1:${address.port}/api\n`)
  }
})
