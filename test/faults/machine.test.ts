/** Faults of the machine: a full disk, a read-only folder, a journal that another program has locked. */
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
import { FileLogger } from '../../electron/main/log/log.ts'
import { Settings } from '../../electron/main/settings/index.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { readOnly } from '../support/read-only.ts'
import { mountTmpfs, type Tmpfs } from '../support/tmpfs.ts'
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

const outcome = (result: Result<IssuedSlip>): string =>
  result.ok ? result.value.slip.state : result.failure.kind

const newIntent = () => ({ intentId: randomUUID(), points: service.next().points })
const openTill = (folder: string): Promise<null> =>
  till.ask('open', { baseUrl: network.url, slips: { folder } })
const postCount = (): number => network.seen.filter(({ method }) => method === 'POST').length

if (process.platform === 'linux') {
  // On Windows and macOS a test cannot mount a file system.
  describe('a full disk', () => {
    let disk: Tmpfs
    beforeEach(() => {
      disk = mountTmpfs(4)
    })
    afterEach(() => {
      disk.remove()
    })

    it('before the request: no request is sent, and the same intent succeeds when there is space again', async () => {
      await openTill(disk.folder)
      // After this the write-ahead log of the journal has no free space in its file.
      expect(outcome(await till.ask('issue', newIntent()))).toBe('printed')
      await till.ask('close', null)
      await openTill(disk.folder)
      disk.fill()
      const intent = newIntent()
      expect(outcome(await till.ask('issue', intent))).toBe('not-saved')
      expect(postCount()).toBe(1)
      disk.free()
      expect(outcome(await till.ask('issue', intent))).toBe('printed')
      expect(postCount()).toBe(2)
      expect(service.codesOf(intent.points)).toEqual([expect.any(String)])
    })

    it('during the request: the code is not lost, and no second request is sent', async () => {
      await openTill(disk.folder)
      network.fail({ delay: 500 }, 'POST')
      const intent = newIntent()
      const pressed = till.ask('issue', intent)
      await expect.poll(postCount).toBe(1)
      disk.fill()
      const first = outcome(await pressed)
      disk.free()
      const again = await till.ask('issue', intent)
      // Either the journal row or the PDF could not be written; the code exists in both cases.
      expect(['not-saved', 'print-failed']).toContain(first)
      expect(outcome(again)).toBe('printed')
      expect(again.ok ? again.value.slip.code : null).toBe(service.codesOf(intent.points)[0])
      expect(postCount()).toBe(1)
    })

    it('while the till quits: the next start finds an intact journal', async () => {
      await openTill(disk.folder)
      const intent = newIntent()
      await till.ask('issue', intent)
      disk.fill()
      await till.ask('close', null)
      disk.free()
      await openTill(disk.folder)
      expect(await till.ask('slips', null)).toMatchObject([{ state: 'printed', intentId: intent.intentId }])
      expect(outcome(await till.ask('issue', newIntent()))).toBe('printed')
    })

    it('under the settings: the file stays intact, and changes are saved again when there is space', () => {
      const settings = new Settings(disk.folder)
      settings.update({ country: 'GR' })
      disk.fill()
      settings.update({ country: 'FR', accent: '#0b6b4f' })
      expect(settings.kept).toBe(false)
      expect(settings.values.country).toBe('FR')
      const onDisk: unknown = JSON.parse(readFileSync(join(disk.folder, 'settings.json'), 'utf8'))
      expect(onDisk).toMatchObject({ country: 'GR' })
      disk.free()
      settings.update({ country: 'DE' })
      expect(settings.kept).toBe(true)
      expect(new Settings(disk.folder).values.country).toBe('DE')
    })

    it('under the log: the till continues, and logs again when there is space', () => {
      const log = new FileLogger({
        folder: join(disk.folder, 'logs'),
        echo: () => undefined
      })
      log.info('before')
      disk.fill()
      for (let times = 0; times < 100; times += 1) log.error('disk-full', { text: 'x'.repeat(1000) })
      disk.free()
      log.info('after')
      expect(readFileSync(join(disk.folder, 'logs', 'till.log'), 'utf8')).toContain('"after"')
    })
  })
}

describe('a disk with free space', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillpoints-machine-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('in a read-only folder no request is sent, and the same intent succeeds when the folder is writable', async () => {
    await openTill(folder)
    await till.ask('close', null)
    const intent = newIntent()
    await readOnly(folder, async () => {
      await openTill(folder)
      expect(outcome(await till.ask('issue', intent))).toBe('not-saved')
      await till.ask('close', null)
    })
    expect(postCount()).toBe(0)
    await openTill(folder)
    expect(outcome(await till.ask('issue', intent))).toBe('printed')
  })

  it('with a locked journal no request is sent, and the same intent succeeds without the lock', async () => {
    await openTill(folder)
    const holder = fork(fileURLToPath(new URL('./lock-holder.ts', import.meta.url)), [
      join(folder, 'journal.db')
    ])
    await once(holder, 'message')
    const intent = newIntent()
    expect(outcome(await till.ask('issue', intent))).toBe('not-saved')
    expect(postCount()).toBe(0)
    const ended = once(holder, 'exit')
    holder.send('let go')
    await ended
    expect(outcome(await till.ask('issue', intent))).toBe('printed')
    expect(postCount()).toBe(1)
  })

  it('read-only settings change until the till quits, and count as not saved', async () => {
    new Settings(folder).update({ country: 'GR' })
    const file = join(folder, 'settings.json')
    await readOnly(file, () => {
      const settings = new Settings(folder)
      settings.update({ country: 'FR' })
      expect(settings.kept).toBe(false)
      expect(settings.values.country).toBe('FR')
    })
    expect(new Settings(folder).values.country).toBe('GR')
  })
})
