import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import * as v from 'valibot'
import { ServiceProgram } from './program.ts'

const program = new ServiceProgram()

const linesSchema = v.object({ url: v.pipe(v.string(), v.url()), links: v.array(v.string()) })

/** Starts the service and returns what it prints, with the means to stop it. */
const serve = async () => {
  const server = program.start(['serve', '--port', '0', '--json', '--data', program.data])
  const [line] = v.parse(v.tuple([v.string()]), await once(createInterface(server.stdout), 'line'))
  return {
    ...v.parse(linesSchema, JSON.parse(line)),
    stop: async (): Promise<void> => {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
  }
}

const send = (link: string, form: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(link, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
    headers: { 'sec-fetch-site': 'same-origin' }
  })

it('prints a link at the first start by which the owner opens the shop, and none once there is an owner', async () => {
  expect(await program.run('init')).toMatchObject({ code: 0 })
  const first = await serve()
  const [link = ''] = first.links
  expect(link.startsWith(new URL('/welcome/', first.url).href)).toBe(true)
  const opened = await send(link, {
    ...{ shop: 'Corner Café', place: 'GR Europe/Athens', name: 'Ana' },
    ...{ password: 'coffee with milk', repeated: 'coffee with milk' }
  })
  expect(opened.headers.get('location')).toMatch(/^\/manage\/usr_\w{16}\/today\?done=signed-in$/)
  expect((await fetch(link)).status).toBe(404)
  expect(await program.json(v.array(v.unknown()), 'business', 'list')).toMatchObject([
    { name: 'Corner Café', timeZone: 'Europe/Athens', address: { country: 'GR' } }
  ])
  await first.stop()

  const second = await serve()
  expect(second.links).toEqual([])
  expect((await program.run('staff', 'list')).stdout).toMatch(/^stf_\w{16} {2}Ana {2}owner {2}last used /)
  const { stdout } = await program.run('staff', 'link', '--public-url', new URL(second.url).origin)
  const chosen = await send(stdout.trim(), {
    ...{ name: 'Ana', password: 'tea with lemon', repeated: 'tea with lemon' }
  })
  expect(chosen.headers.get('location')).toMatch(/\/today\?done=signed-in$/)
  expect(await program.run('staff', 'link', 'Eva')).toMatchObject({
    code: 1,
    stderr: 'There is no Eva (see staff list).\n'
  })
  await second.stop()
})

it('prints a link for a business that the command line added', async () => {
  await program.run('init')
  await program.run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  const { links, stop } = await serve()
  expect(links).toHaveLength(1)
  expect(await (await fetch(links[0] ?? '')).text()).toContain('Choose a password · Corner Café')
  await stop()
})
