/** The settings for programs that call the till, and the client of docs/local-interface.md. */
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { slipsOf, stateOf } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

const JSON_BODY = { 'content-type': 'application/json' }

/** Occupies a port of the loopback interface, until `free` is called. */
async function occupyPort(): Promise<{ readonly port: number; readonly free: () => Promise<void> }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    free: async () => {
      server.close()
      await once(server, 'close')
    }
  }
}

async function freePort(): Promise<number> {
  const { port, free } = await occupyPort()
  await free()
  return port
}

/** The part of the settings for other programs. */
class ProgramsPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get dialog(): Locator {
    return this.#page.getByRole('dialog', { name: 'Pair a program' })
  }

  get programs(): Locator {
    return this.#page.getByRole('list', { name: 'Paired programs' })
  }

  async open(): Promise<void> {
    await this.#page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
    await this.#page.getByRole('tab', { name: 'Programs' }).click()
  }

  async savePort(port: number): Promise<void> {
    await this.#page.getByRole('textbox', { name: 'Port' }).fill(String(port))
    await this.#page.getByRole('button', { name: 'Save' }).click()
  }

  async enable(): Promise<void> {
    await this.#page.getByRole('checkbox', { name: 'Let paired programs call this till' }).click()
  }

  /** Turns the interface on. Resolves with its address when it listens. */
  async listen(): Promise<string> {
    const port = await freePort()
    await this.open()
    await this.savePort(port)
    await this.enable()
    await shown(this.#page, `127.0.0.1:${String(port)}`).waitFor()
    return `http://127.0.0.1:${String(port)}`
  }

  /** Presses Pair a program. Resolves with the code that the dialog shows. */
  async pair(): Promise<string> {
    await this.#page.getByRole('button', { name: 'Pair a program' }).click()
    return this.code()
  }

  async code(): Promise<string> {
    const shown = this.dialog.getByText(/^Pairing code: /)
    return ((await shown.textContent()) ?? '').replace(/\D/g, '')
  }
}

const pairAs = (till: string, name: string, code: string): Promise<Response> =>
  fetch(`${till}/v1/pairing`, { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ code, name }) })

test('a program is paired, listed with its last use, and removed', async ({ openConnected }) => {
  const { page } = await openConnected()
  const programs = new ProgramsPage(page)
  const till = await programs.listen()
  const code = await programs.pair()
  expect(code).toMatch(/^\d{8}$/)
  await expect(programs.dialog.getByRole('timer')).toHaveText(/^Valid for [45]:\d\d$/)
  const paired = await pairAs(till, 'Example POS', code)
  expect(paired.status).toBe(201)
  const { token } = (await paired.json()) as { token: string }
  await expect(programs.dialog).toContainText('Example POS is paired.')
  await expect(programs.dialog).not.toContainText(code.slice(0, 4))
  await programs.dialog.getByRole('button', { name: 'Done' }).click()
  await expect(programs.programs).toContainText('Not used yet')
  const status = (): Promise<Response> =>
    fetch(`${till}/v1/status`, { headers: { authorization: `Bearer ${token}` } })
  expect((await status()).status).toBe(200)
  await expect(programs.programs).toContainText('Last used')
  const mayIssue = page.getByRole('checkbox', { name: 'May issue points while the till is locked' })
  await mayIssue.click()
  await expect(mayIssue).toBeChecked()
  expect((await stateOf(page)).localInterface.callers).toMatchObject([{ mayIssueWhileLocked: true }])
  await page.getByRole('button', { name: 'Remove Example POS?' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(shown(page, 'No program is paired with this till.')).toBeVisible()
  expect((await status()).status).toBe(401)
})

test('a code that was entered wrongly too often ends, and another one works', async ({ openConnected }) => {
  const { page } = await openConnected()
  const programs = new ProgramsPage(page)
  const till = await programs.listen()
  const code = await programs.pair()
  const wrong = code === '00000000' ? '00000001' : '00000000'
  for (let tries = 0; tries < 5; tries++) expect((await pairAs(till, 'Guess', wrong)).status).toBe(403)
  await expect(programs.dialog).toContainText('The code is no longer valid.')
  expect((await pairAs(till, 'Late', code)).status).toBe(403)
  await programs.dialog.getByRole('button', { name: 'New code' }).click()
  expect((await pairAs(till, 'Example POS', await programs.code())).status).toBe(201)
  await expect(programs.dialog).toContainText('Example POS is paired.')
})

test('a code is withdrawn with its dialog, and listening ends with the till', async ({ openConnected }) => {
  const opened = await openConnected()
  const { page, userData } = opened
  const programs = new ProgramsPage(page)
  const till = await programs.listen()
  const code = await programs.pair()
  await programs.dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(async () => (await stateOf(page)).localInterface.pairingUntil).toBeNull()
  expect((await pairAs(till, 'Late', code)).status).toBe(403)
  await opened.close()
  await expect(fetch(`${till}/v1/status`)).rejects.toThrow()
  expect(await readFile(join(userData, 'logs/till.log'), 'utf8')).not.toContain('"error"')
})

test('a port of another program is reported, and another one is used at once', async ({ openConnected }) => {
  const { page } = await openConnected()
  const programs = new ProgramsPage(page)
  const occupied = await occupyPort()
  await programs.open()
  await expect(page.getByRole('button', { name: 'Pair a program' })).toBeDisabled()
  await programs.savePort(occupied.port)
  await programs.enable()
  const fault = page.getByRole('alert').filter({ hasText: `Port ${String(occupied.port)} is in use` })
  await expect(fault).toBeVisible()
  const port = await freePort()
  await programs.savePort(port)
  await expect(shown(page, `127.0.0.1:${String(port)}`)).toBeVisible()
  await expect(fault).toBeHidden()
  await occupied.free()
})

/** Runs the first block of commands of docs/local-interface.md on a till that was just set up. */
async function runDocumentedClient(page: Page): Promise<void> {
  const text = await readFile(join(PROJECT, 'docs/local-interface.md'), 'utf8')
  const lines = /```sh\n([^]*?)```/.exec(text)?.[1] ?? ''
  expect(lines).toContain('http://127.0.0.1:8419')
  const programs = new ProgramsPage(page)
  const till = await programs.listen()
  const code = await programs.pair()
  const script = `set -eux\nCODE=${code}\n${lines.replace('http://127.0.0.1:8419', till)}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script])
  expect(stdout).toContain('"reference":"R-1042"')
  expect(stdout).toContain('"qrSvg"')
  expect(stdout).toContain('"copies":1')
  const slips = await slipsOf(page)
  expect(slips.map(({ points, reference, state }) => [points, reference, state])).toEqual([
    [40, 'R-1043', 'printed'],
    [125, 'R-1042', 'discarded']
  ])
  expect(slips.every(({ caller }) => caller?.name === 'Example POS')).toBe(true)
}

test.describe('the client of docs/local-interface.md', () => {
  const hasCurl = spawnSync('curl', ['--version']).error === undefined
  test.skip(!hasCurl && !process.env['CI'], 'needs curl')

  test('runs on a new till that is connected', async ({ openConnected }) => {
    const { page } = await openConnected()
    await runDocumentedClient(page)
  })

  test('runs on a new till in training mode', async ({ open }) => {
    const { page, manager } = await open()
    await manager.startTraining()
    await runDocumentedClient(page)
  })
})
