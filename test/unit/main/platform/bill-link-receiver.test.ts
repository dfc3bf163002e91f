import { beforeEach, expect, it, vi } from 'vitest'

const { app } = await vi.hoisted(async () => {
  const { EventEmitter } = await import('node:events')
  return { app: new EventEmitter() }
})
vi.mock('electron', () => ({ app }))

const { BillLinkReceiver } = await import('../../../../electron/main/platform/command-line.ts')

const LINK = 'tillpoints://bill?points=5'
let received: string[]

beforeEach(() => {
  app.removeAllListeners()
  received = []
})

const start = (argv: readonly string[]) => {
  const receiver = new BillLinkReceiver(argv)
  return { listen: () => receiver.start((link) => received.push(link)) }
}

it('finds the link anywhere in the arguments of the start', () => {
  start(['/opt/Tillpoints/tillpoints', '--ozone-platform=x11', LINK, '--lang=de']).listen()
  start(['till', '.', '--', 'TILLPOINTS:x']).listen()
  start(['till', '.', 'https://example.com', 'C:\\bills\\tillpoints.txt']).listen()
  expect(received).toEqual([LINK, 'TILLPOINTS:x'])
})

it('keeps the event of macOS that comes before the till is ready, and prevents its default', () => {
  const preventDefault = vi.fn()
  const { listen } = start(['till'])
  app.emit('open-url', { preventDefault }, LINK)
  expect(received).toEqual([])
  listen()
  expect(received).toEqual([LINK])
  app.emit('open-url', { preventDefault }, 'tillpoints://bill?points=6')
  expect(received).toHaveLength(2)
  expect(preventDefault).toHaveBeenCalledTimes(2)
})

it('takes the link of a second start, among the switches that Chromium adds', () => {
  start(['till']).listen()
  app.emit('second-instance', {}, ['till', '--disable-http2', '--original-process-start-time=1', LINK], '/')
  app.emit('second-instance', {}, ['till', '--restore-journal=x'], '/')
  expect(received).toEqual([LINK])
})
