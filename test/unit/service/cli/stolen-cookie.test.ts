/** A copy of a customer's cookie, on another device, and how the shop ends it. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { textOf } from '../pages/visitor.ts'
import { ServiceProgram } from './program.ts'

const PUBLIC_URL = 'https://points.example.com'
const PHONE = '+306901234567'

const program = new ServiceProgram()

it('is the customer until staff unlink it, and stands in no file of the data', async () => {
  await program.run('init')
  const shop = ['business', 'add', '--name', 'Corner Café', '--country', 'GR']
  const { id } = await program.json(v.object({ id: v.string() }), ...shop)
  const flags = ['--port', '0', '--public-url', PUBLIC_URL, '--data', program.data]
  const server = program.start(['serve', ...flags])
  const [line] = v.parse(v.tuple([v.string()]), await once(createInterface(server.stdout), 'line'))
  const ask = (path: string, cookie: string, form?: Readonly<Record<string, string>>) =>
    fetch(new URL(path, line.replace('listening on ', '')), {
      headers: { cookie, origin: PUBLIC_URL },
      redirect: 'manual',
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) })
    })

  await ask(`/join/${id}`, '', { phone: PHONE, name: 'Μαρία' })
  const linking = await ask(`/me/${id}/link`, '', {})
  const cookies = linking.headers.getSetCookie().map((set) => set.split(';')[0] ?? '')
  const cookie = cookies.find((one) => !one.startsWith('form=')) ?? ''
  const page = await ask(linking.headers.get('location') ?? '', cookies.join('; '))
  const digits =
    /\b(\d{3}) +(\d{3})\b/
      .exec(await textOf(page))
      ?.slice(1)
      .join('') ?? ''
  const link = ['customer', 'link', PHONE, digits]
  const { device } = await program.json(v.object({ device: v.string() }), ...link)

  // A copy from the phone sees what the customer sees.
  expect(await textOf(await ask(`/me/${id}`, cookie))).toContain('Μαρία')
  expect((await ask(`/me/${id}/data.json`, cookie)).headers.get('content-disposition')).toContain(
    'attachment'
  )
  // A copy of the data, with what is not in the main file yet, has no cookie that can be sent.
  const files = readdirSync(program.data).map((name) => readFileSync(join(program.data, name)))
  const [, value = ''] = cookie.split('=')
  expect(value).toMatch(/^[\w.-]{53}$/)
  expect(files.some((bytes) => bytes.includes(device))).toBe(true)
  expect(files.some((bytes) => bytes.includes(value))).toBe(false)

  expect((await program.run('customer', 'unlink', PHONE, device)).code).toBe(0)
  expect(await textOf(await ask(`/me/${id}`, cookie))).not.toContain('Μαρία')
  expect((await ask(`/me/${id}/data.json`, cookie)).headers.get('content-disposition')).toBeNull()
  await ask(`/me/${id}/delete`, cookie, {})
  expect((await program.run('customer', 'show', PHONE)).code).toBe(0)
})
