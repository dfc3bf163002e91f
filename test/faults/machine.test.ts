/** Faults of the machine: a full disk, a read-only folder, a journal locked by another program. */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Result } from '../../electron/contract/failure.ts'
import type { IssuedSlip } from '../../electron/contract/slips.ts'
import { FileLogger } from '../../electron/main/log/log-file.ts'
import { Settings } from '../../electron/main/settings/index.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { readOnly } from '../support/read-only.ts'
import { mountTmpfs, type Tmpfs } from '../support/tmpfs.ts'
import { fontsFolder } from '../unit/main/slips/slip-service-fixture.ts'
import { startService, type ServiceUnderTest } from './service.ts'
import { startTillWorker, type TillWorker } from './worker-pool.ts'

let service: ServiceUnderTest
let network: FaultyNetwork
let till: TillWorker

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  network = await openFaultyNetwork(service.url)
  till = await startTillWorker()
})
afterEach(async () => {
  await till.end()
  await network.close()
})

const outcome = (answer: Result<IssuedSlip>): string =>
  answer.ok ? answer.value.slip.state : answer.failure.kind

const newPress = () => ({ intentId: randomUUID(), points: service.next().points })
const openOn = (folder: string): Promise<null> =>
  till.ask('open', { baseUrl: network.url, slips: { folder, fontsFolder } })
const posts = (): number => network.seen.filter(({ method }) => method === 'POST').length

if (process.platform === 'linux') {
  // On Windows and macOS a test cannot mount a file system.
  describe('a disk that is full', () => {
    let disk: Tmpfs
    beforeEach(() => {
      disk = mountTmpfs(4)
    })
    afterEach(() => {
      disk.remove()
    })

    it('before points are asked for: the service hears nothing, and the same press works once there is room', async () => {
      await openOn(disk.folder)
      // After this the write-ahead log of the journal has no free space in its file.
      expect(outcome(await till.ask('issue', newPress()))).toBe('printed')
      await till.ask('close', null)
      await openOn(disk.folder)
      disk.fill()
      const press = newPress()
      expect(outcome(await till.ask('issue', press))).toBe('not-saved')
      expect(posts()).toBe(1)
      disk.free()
      expect(outcome(await till.ask('issue', press))).toBe('printed')
      expect([posts(), service.codesOf(press.points)]).toEqual([2, [expect.any(String)]])
    })

    it('while the service answers: the code is not lost, and never asked for again', async () => {
      await openOn(disk.folder)
      network.fail({ delay: 500 }, 'POST')
      const press = newPress()
      const pressed = till.ask('issue', press)
      await expect.poll(posts).toBe(1)
      disk.fill()
      const first = outcome(await pressed)
      disk.free()
      const again = await till.ask('issue', press)
      // Either the journal row or the PDF could not be written; the code exists in both cases.
      expect(['not-saved', 'print-failed']).toContain(first)
      expect(outcome(again)).toBe('printed')
      expect(again.ok ? again.value.slip.code : null).toBe(service.codesOf(press.points)[0])
      expect(posts()).toBe(1)
    })

    it('while the till ends: the next one starts on a whole journal', async () => {
      await openOn(disk.folder)
      const press = newPress()
      await till.ask('issue', press)
      disk.fill()
      await till.ask('close', null)
      disk.free()
      await openOn(disk.folder)
      expect((await till.ask('slips', null)).map(({ state, intentId }) => [state, intentId])).toEqual([
        ['printed', press.intentId]
      ])
      expect(outcome(await till.ask('issue', newPress()))).toBe('printed')
    })

    it('under the settings: what was kept stays whole, and changes are kept again once there is room', () => {
      const settings = new Settings(disk.folder, () => new Date())
      settings.update({ country: 'GR' })
      disk.fill()
      settings.update({ country: 'FR', accent: '#0b6b4f' })
      expect([settings.kept, settings.values.country]).toEqual([false, 'FR'])
      const onDisk: unknown = JSON.parse(readFileSync(join(disk.folder, 'settings.json'), 'utf8'))
      expect(onDisk).toMatchObject({ country: 'GR' })
      disk.free()
      settings.update({ country: 'DE' })
      expect([settings.kept, new Settings(disk.folder, () => new Date()).values.country]).toEqual([
        true,
        'DE'
      ])
    })

    it('under the log: the till goes on', () => {
      const log = new FileLogger({
        folder: join(disk.folder, 'logs'),
        now: () => new Date(),
        echo: () => undefined
      })
      log.info('before')
      disk.fill()
      for (let times = 0; times < 100; times += 1) log.error('nobody-reads-this', { text: 'x'.repeat(1000) })
      disk.free()
      log.info('after')
      expect(readFileSync(join(disk.folder, 'logs', 'till.log'), 'utf8')).toContain('"after"')
    })
  })
}

describe('on a disk in good order', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillpoints-machine-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('a folder that becomes read-only: nothing is asked for, and the same press works afterwards', async () => {
    await openOn(folder)
    await till.ask('close', null)
    const press = newPress()
    await readOnly(folder, async () => {
      await openOn(folder)
      expect(outcome(await till.ask('issue', press))).toBe('not-saved')
      await till.ask('close', null)
    })
    expect(posts()).toBe(0)
    await openOn(folder)
    expect(outcome(await till.ask('issue', press))).toBe('printed')
  })

  it('a journal that another program has locked: nothing is asked for, and it works when the lock is gone', async () => {
    await openOn(folder)
    const holder = fork(fileURLToPath(new URL('./lock-holder.ts', import.meta.url)), [
      join(folder, 'journal.db')
    ])
    await once(holder, 'message')
    const press = newPress()
    expect(outcome(await till.ask('issue', press))).toBe('not-saved')
    expect(posts()).toBe(0)
    const ended = once(holder, 'exit')
    holder.send('let go')
    await ended
    expect(outcome(await till.ask('issue', press))).toBe('printed')
    expect(posts()).toBe(1)
  })

  it('settings that nobody may replace: changes hold until the till closes, and it says that they are not kept', async () => {
    new Settings(folder, () => new Date()).update({ country: 'GR' })
    const file = join(folder, 'settings.json')
    await readOnly(file, () => {
      const settings = new Settings(folder, () => new Date())
      settings.update({ country: 'FR' })
      expect([settings.kept, settings.values.country]).toEqual([false, 'FR'])
    })
    expect(new Settings(folder, () => new Date()).values.country).toBe('GR')
  })
})
