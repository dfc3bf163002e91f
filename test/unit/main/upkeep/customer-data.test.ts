import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { err } from '../../../../electron/contract/failure.ts'
import type { ForgettingProgress } from '../../../../electron/contract/privacy.ts'
import { CustomerData } from '../../../../electron/main/upkeep/customer-data.ts'
import { quarantineFile } from '../../../../electron/main/fs/quarantine.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { pdfsShowing } from '../../../support/read-slip.ts'
import { scanFolder } from '../../../support/secret-scanner.ts'
import { business } from '../../../support/sample-business.ts'
import {
  issueAndPrint,
  openSlipService,
  press,
  temporaryFolder,
  valueOf,
  type SlipServiceFixture
} from '../slips/slip-service-fixture.ts'

const zoe = { id: 'customer-7f3Qz9', name: 'Zoë Xantopoulou' }
const ben = { id: 'customer-b', name: 'Ben Fischer' }
const scope = { training: false, businessId: business.id }

/** Every spelling of the customer that a file may hold: the id, the name, and the name's search tokens. */
const TRACES = [zoe.id, zoe.name, 'Xantopoulou', 'xantopoulou']

const tracesIn = async (folder: string): Promise<string[]> => [
  ...(await Promise.all(TRACES.map((text) => scanFolder(folder, text)))).flat(),
  ...(await pdfsShowing(join(folder, 'slips'), zoe.name))
]

/** Issues slips of two customers, and copies the journal as a backup and as quarantined journals. */
async function folderWithSlips(): Promise<{ till: SlipServiceFixture; folder: string }> {
  const folder = temporaryFolder()
  const till = openSlipService({ backupsFolder: join(folder, 'backups') }, folder)
  for (const customer of [zoe, ben, zoe]) await issueAndPrint(till, { ...press(40), customer })
  await till.slips.printouts.reprint({
    intentId: valueOf(till.slips.queries.list({ offset: 0 })).slips[0]?.intentId ?? ''
  })
  await till.slips.backups.backUpToday()
  await till.slips.close()
  const journal = join(folder, 'journal.db')
  for (const reason of ['damaged', 'replaced'] as const) {
    await copyFile(journal, `${journal}.kept`)
    quarantineFile(journal, new Date('2026-11-20T10:00:00.000Z'), [], reason)
    await copyFile(`${journal}.kept`, journal)
    await rm(`${journal}.kept`)
  }
  return { till, folder }
}

function customerDataIn(folder: string, changes: { clearCaches?: () => Promise<void> } = {}) {
  const resets: string[] = []
  const data = new CustomerData({
    journalFile: join(folder, 'journal.db'),
    backupsFolder: join(folder, 'backups'),
    slipsFolder: join(folder, 'slips'),
    trainingFile: join(folder, 'training.sqlite'),
    markerFile: join(folder, 'customer-removal.json'),
    training: {
      reset: () => {
        resets.push('training')
        return Promise.resolve()
      }
    },
    clearCaches: () => Promise.resolve(),
    log: noOpLogger,
    ...changes
  })
  return { data, resets }
}

const ignoreProgress = (): void => undefined

describe('forgetting a customer', () => {
  it('leaves no trace of a slip of a program, whose reference stays used', async () => {
    const folder = temporaryFolder()
    const till = openSlipService({}, folder)
    const request = {
      caller: { id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8', name: 'Shop POS' },
      reference: 'Bill of Xantopoulou',
      contentHash: 'hash',
      points: 40,
      customer: zoe,
      delivery: 'return'
    } as const
    const issued = valueOf(await till.slips.programs.issue(request))
    await till.slips.close()
    expect((await tracesIn(folder)).join('\n')).toContain('program-slips.sqlite')
    const { data } = customerDataIn(folder)
    expect(await data.remove(scope, zoe, ignoreProgress)).toMatchObject({ kind: 'forgotten', slips: 1 })
    expect(await tracesIn(folder)).toEqual([])
    const again = openSlipService({}, folder)
    const repeated = valueOf(await again.slips.programs.issue(request))
    expect(repeated.row.slip.code).toBe(issued.row.slip.code)
    await again.slips.close()
    expect(await tracesIn(folder)).toEqual([])
  })

  it('leaves id and name in no file, and keeps points, codes and other customers', async () => {
    const { till, folder } = await folderWithSlips()
    const before = (await tracesIn(folder)).join('\n')
    for (const place of ['journal.db', 'backups', 'damaged', 'replaced', 'CODE-1.pdf', 'CODE-3-COPY-1.pdf']) {
      expect(before).toContain(place)
    }
    const { data } = customerDataIn(folder)
    const progress: ForgettingProgress[] = []
    const result = await data.remove(scope, zoe, (step) => progress.push(step))
    expect(result).toEqual({ kind: 'forgotten', slips: 2, pdfs: 3, copies: 3 })
    expect(await tracesIn(folder)).toEqual([])
    expect(existsSync(join(folder, 'customer-removal.json'))).toBe(false)
    expect(progress.at(-1)).toEqual({ done: 6, total: 6 })

    const after = await till.restart()
    const { slips } = valueOf(after.slips.queries.list({ offset: 0 }))
    expect(slips.map(({ customer, points, code }) => [customer, points, code])).toEqual([
      [null, 40, 'CODE-3'],
      [ben, 40, 'CODE-2'],
      [null, 40, 'CODE-1']
    ])
    const found = after.slips.queries.list({ offset: 0, search: { text: 'fisch' } })
    expect(valueOf(found).slips).toHaveLength(1)
    // A reprint of the slip makes its PDF without the name.
    valueOf(await after.slips.printouts.reprint({ intentId: slips[0]?.intentId ?? '' }))
    expect(existsSync(join(folder, 'slips', 'CODE-3-COPY-2.pdf'))).toBe(true)
    expect(await tracesIn(folder)).toEqual([])
  })

  it('ends asking for the answer of a slip whose reference is removed with the customer', async () => {
    const folder = temporaryFolder()
    const LOST = err({ kind: 'unknown-outcome', cause: 'timeout' } as const)
    const asked: string[] = []
    const keyed = {
      currentBusiness: () => ({ ...business, extensions: ['codes/1'] as const }),
      retryDelaysMs: [],
      issueCode: (key: string) => {
        asked.push(key)
        return Promise.resolve(LOST)
      }
    }
    const till = openSlipService(keyed, folder)
    await till.slips.counter.issue({ ...press(40), customer: zoe, reference: 'R-1' })
    await till.slips.counter.issue({ ...press(50), customer: ben })
    await till.slips.close()
    const { data } = customerDataIn(folder)
    expect(await data.remove(scope, zoe, ignoreProgress)).toMatchObject({ kind: 'forgotten', slips: 1 })
    const again = openSlipService(keyed, folder)
    await again.slips.lostAnswers.askAll()
    expect(asked).toEqual([asked[0], asked[1], asked[1]])
    expect(valueOf(again.slips.queries.attentionList({ offset: 0 })).slips).toMatchObject([
      { action: 'ask', slip: { points: 50 } },
      { action: 'discard', slip: { points: 40 } }
    ])
  })

  it('removes the name from the notes of other slips', async () => {
    const folder = temporaryFolder()
    const till = openSlipService(
      {
        settings: () => ({
          printer: { destination: { kind: 'queue', name: 'None' }, paperSize: '80mm' },
          copies: 1,
          oneJob: false
        }),
        printOnPrinter: () =>
          Promise.resolve({
            ok: false,
            failure: { kind: 'not-printed', fault: 'unknown', mayStillPrint: false }
          })
      },
      folder
    )
    await issueAndPrint(till, { ...press(40), customer: zoe })
    const other = press(50)
    await issueAndPrint(till, other)
    valueOf(await till.slips.printouts.discard({ ...other, reason: 'Was for zoë xantopoulou, not for Ben' }))
    await till.slips.close()
    await customerDataIn(folder).data.remove(scope, zoe, ignoreProgress)
    expect(await tracesIn(folder)).toEqual([])
    const after = await till.restart()
    expect(valueOf(after.slips.queries.list({ offset: 0 })).slips[0]?.ending?.note).toBe(
      'Was for …, not for Ben'
    )
  })

  it('leaves a namesake of another id as it is', async () => {
    const folder = temporaryFolder()
    const till = openSlipService({}, folder)
    await issueAndPrint(till, { ...press(40), customer: { ...zoe, id: 'another' } })
    await till.slips.close()
    const result = await customerDataIn(folder).data.remove(scope, zoe, ignoreProgress)
    expect(result).toMatchObject({ kind: 'forgotten', slips: 0 })
    const after = await till.restart()
    expect(valueOf(after.slips.queries.list({ offset: 0 })).slips[0]?.customer?.name).toBe(zoe.name)
  })

  it('removes a copy of the journal that is too damaged to be changed', async () => {
    const { folder } = await folderWithSlips()
    const damaged = join(folder, 'journal.damaged-2026-11-19T10-00-00-000Z.db')
    writeFileSync(damaged, `no database ${zoe.name}`)
    const result = await customerDataIn(folder).data.remove(scope, zoe, ignoreProgress)
    expect(result).toMatchObject({ kind: 'forgotten', copies: 4 })
    expect(existsSync(damaged)).toBe(false)
  })

  it('deletes the training data if it names the customer', async () => {
    const { folder } = await folderWithSlips()
    const training = new DatabaseSync(join(folder, 'training.sqlite'))
    training.exec('CREATE TABLE customers (id TEXT, name TEXT, email TEXT, phone TEXT, balance INTEGER)')
    const insert = training.prepare('INSERT INTO customers VALUES (?, ?, NULL, ?, 5)')
    insert.run('t-1', 'Ana', '+1')
    const first = customerDataIn(folder)
    await first.data.remove(scope, zoe, ignoreProgress)
    expect(first.resets).toEqual([])
    insert.run('t-2', zoe.name, '+2')
    training.close()
    const second = customerDataIn(folder)
    await second.data.remove(scope, zoe, ignoreProgress)
    expect(second.resets).toEqual(['training'])
  })

  it('continues at the next start when it was interrupted, by a marker without id and name', async () => {
    const { folder } = await folderWithSlips()
    const { data } = customerDataIn(folder, { clearCaches: () => Promise.reject(new Error('disk full')) })
    expect(await data.remove(scope, zoe, ignoreProgress)).toEqual({ kind: 'unfinished' })
    const marker = readFileSync(join(folder, 'customer-removal.json'), 'utf8')
    expect(TRACES.filter((text) => marker.includes(text))).toEqual([])
    expect(await tracesIn(folder)).not.toEqual([])

    const next = customerDataIn(folder)
    await next.data.resume()
    expect(await tracesIn(folder)).toEqual([])
    expect(existsSync(join(folder, 'customer-removal.json'))).toBe(false)
  })

  describe('while another removal is unfinished', () => {
    const fullDisk = { clearCaches: () => Promise.reject(new Error('disk full')) }

    it('finishes both', async () => {
      const { folder } = await folderWithSlips()
      await customerDataIn(folder, fullDisk).data.remove(scope, zoe, ignoreProgress)
      const result = await customerDataIn(folder).data.remove(scope, ben, ignoreProgress)
      expect(result).toEqual({ kind: 'forgotten', slips: 1, pdfs: 1, copies: 3 })
      expect([...(await tracesIn(folder)), ...(await scanFolder(folder, ben.name))]).toEqual([])
      expect(existsSync(join(folder, 'customer-removal.json'))).toBe(false)
    })

    it('leaves both to the next start if the cause remains', async () => {
      const { folder } = await folderWithSlips()
      for (const customer of [zoe, ben]) {
        const { data } = customerDataIn(folder, fullDisk)
        expect(await data.remove(scope, customer, ignoreProgress)).toEqual({ kind: 'unfinished' })
      }
      await customerDataIn(folder).data.resume()
      expect([...(await tracesIn(folder)), ...(await scanFolder(folder, ben.name))]).toEqual([])
      expect(existsSync(join(folder, 'customer-removal.json'))).toBe(false)
    })

    it('keeps the other one for the next start if only that fails again', async () => {
      const { folder } = await folderWithSlips()
      await customerDataIn(folder, fullDisk).data.remove(scope, zoe, ignoreProgress)
      let calls = 0
      const { data } = customerDataIn(folder, {
        clearCaches: () => (++calls === 1 ? Promise.resolve() : fullDisk.clearCaches())
      })
      expect(await data.remove(scope, ben, ignoreProgress)).toEqual({ kind: 'unfinished' })
      expect(await scanFolder(folder, ben.name)).toEqual([])
      await customerDataIn(folder).data.resume()
      expect(await tracesIn(folder)).toEqual([])
    })

    it('rewrites a file whose slips named the customer until it was interrupted', async () => {
      const folder = temporaryFolder()
      const till = openSlipService({}, folder)
      await issueAndPrint(till, { ...press(40), customer: zoe })
      await till.slips.close()
      await customerDataIn(folder, fullDisk).data.remove(scope, zoe, ignoreProgress)
      const journal = new DatabaseSync(join(folder, 'journal.db'))
      journal.exec(`PRAGMA secure_delete = OFF; UPDATE slips SET customer_id = NULL, customer_name = NULL;
        DELETE FROM slip_search`)
      journal.close()
      expect((await tracesIn(folder)).join('\n')).toContain('journal.db')
      await customerDataIn(folder).data.remove(scope, zoe, ignoreProgress)
      expect((await tracesIn(folder)).join('\n')).not.toContain('journal.db')
    })

    it('starts anew when the list of unfinished removals is damaged', async () => {
      const folder = temporaryFolder()
      writeFileSync(join(folder, 'customer-removal.json'), '{')
      const result = await customerDataIn(folder).data.remove(scope, zoe, ignoreProgress)
      expect(result).toMatchObject({ kind: 'forgotten' })
      expect(existsSync(join(folder, 'customer-removal.json'))).toBe(false)
    })
  })

  it('removes the partial files of a killed process', async () => {
    const { folder } = await folderWithSlips()
    mkdirSync(join(folder, 'backups'), { recursive: true })
    for (const name of [
      'backups/journal-2026-11-20.sqlite.part',
      'slips/tillpoints-0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d.part',
      'journal.db.restoring'
    ]) {
      writeFileSync(join(folder, name), zoe.name)
    }
    await customerDataIn(folder).data.remove(scope, zoe, ignoreProgress)
    expect(await tracesIn(folder)).toEqual([])
  })
})

it('collects slips of every file, PDFs and training data in one JSON text', async () => {
  const { folder } = await folderWithSlips()
  const training = new DatabaseSync(join(folder, 'training.sqlite'))
  onTestFinished(() => training.close())
  training.exec('CREATE TABLE customers (id TEXT, name TEXT, email TEXT, phone TEXT, balance INTEGER)')
  training.prepare('INSERT INTO customers VALUES (?, ?, NULL, ?, 5)').run('t-2', zoe.name, '+2')
  const file = join(temporaryFolder(), 'customer.json')
  const rest = { about: 'All.', createdAt: '2026-11-21', memory: { phone: '+3' } }
  await customerDataIn(folder).data.exportTo(file, scope, zoe, rest)
  const text = readFileSync(file, 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    about: 'All.',
    customer: zoe,
    journals: [
      {
        file: 'journal.db',
        slips: [{ code: 'CODE-1', points: 40, customer_name: zoe.name }, { code: 'CODE-3' }]
      },
      { file: 'journal-2026-11-21.sqlite', slips: [{ code: 'CODE-1' }, { code: 'CODE-3' }] },
      { file: 'journal.damaged-2026-11-20T10-00-00-000Z.db', slips: [{}, {}] },
      { file: 'journal.replaced-2026-11-20T10-00-00-000Z.db', slips: [{}, {}] }
    ],
    trainingData: [{ name: zoe.name, phone: '+2' }],
    memory: { phone: '+3' }
  })
  expect(['CODE-1.pdf', 'CODE-3.pdf', 'CODE-3-COPY-1.pdf'].filter((name) => !text.includes(name))).toEqual([])
  expect(text).not.toContain(ben.name)
})
