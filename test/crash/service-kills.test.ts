/** SIGKILL of the service under load: what was acknowledged is there, once, and every balance is its entries' sum. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { verifyLedger } from '../../electron/service/store/verify.ts'
import { Shop } from '../support/service-shop.ts'

const KILLS = Number(process.env['TILLPOINTS_KILLS'] ?? 5)
const WORKER = join(import.meta.dirname, 'service-worker.ts')

let folder: string
let child: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-kills-'))
})
afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

it(`keeps every acknowledged code and collection over ${KILLS} kills`, async () => {
  const file = join(folder, 'service.sqlite')
  const first = await openSqlite(file)
  const shop = await Shop.addTo(first)
  const customer = await shop.register('+306940000001')
  await first.close()

  /** acknowledged codes, and those of them whose collection was acknowledged */
  const issued: string[] = []
  const collected: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = collected.length
    const worker = spawn(process.execPath, [WORKER, file, String(shop.business), customer], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    child = worker
    let said = ''
    worker.stdout.on('data', (data: Buffer) => {
      const lines = (said + data.toString()).split('\n')
      said = lines.pop() ?? ''
      for (const line of lines) (line.startsWith('+') ? collected : issued).push(line.slice(1))
    })
    const ended = once(worker, 'close')
    await expect.poll(() => collected.length).toBeGreaterThan(before + 100)
    // At any moment of a commit.
    await wait(Math.random() * 50)
    worker.kill('SIGKILL')
    await ended
  }

  const database = await openSqlite(file)
  expect(await database.read('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(await verifyLedger(database)).toEqual([])
  const codes = new Set((await database.read('SELECT code FROM codes')).map((row) => JSON.stringify(row)))
  expect(issued.filter((code) => !codes.has(JSON.stringify({ code })))).toEqual([])
  const entries = (await database.read('SELECT code FROM entries')).map((row) => JSON.stringify(row))
  expect(new Set(entries).size).toBe(entries.length)
  expect(collected.filter((code) => !entries.includes(JSON.stringify({ code })))).toEqual([])
  await database.close()
})
