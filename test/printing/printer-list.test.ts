/** The queues of a real CUPS as settings list them. Linux only, as `system-queue.test.ts` is. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Printer } from '../../electron/contract/printing.ts'
import { Printing } from '../../electron/main/printing/index.ts'
import { startPrintSystem, type PrintSystem } from '../support/print-system/index.ts'
import { printSystemSkipReason } from '../support/print-system/programs.ts'
import { sampleSlip } from './sample-slip.ts'
import { noOpLogger } from '../support/no-op-logger.ts'

describe.skipIf(printSystemSkipReason() !== null)('the list of printers', () => {
  let system: PrintSystem
  let printing: Printing

  const listed = async (): Promise<readonly Printer[]> => {
    const printers = await printing.list()
    if (!printers.ok) throw new Error(JSON.stringify(printers.failure))
    return printers.value
  }

  beforeAll(async () => {
    system = await startPrintSystem()
    printing = new Printing({
      platform: 'linux',
      environment: system.environment,
      log: noOpLogger
    })
    return () => system.stop()
  })

  test('lists the name, description and state of each queue', async () => {
    await system.command('lpadmin', '-d', 'Office')
    const queues = await listed()
    for (const { deviceUri } of queues) expect(deviceUri).toMatch(/^ipp:\/\/localhost:\d+\/ipp\/print$/)
    expect(queues).toMatchObject(
      ['Office', 'Receipt'].map((name) => ({
        kind: 'queue',
        name,
        description: `${name} at the counter`,
        state: { kind: 'ready' },
        isDefault: name === 'Office',
        isRaw: false,
        reportsDeletedJobs: true
      }))
    )
  })

  test('lists the fault of a paused and a rejecting queue', async () => {
    await system.addRawQueue('Paused')
    await system.addRawQueue('Rejecting')
    await system.command('cupsdisable', 'Paused')
    await system.command('cupsreject', 'Rejecting')
    const states = (await listed()).map(({ name, state }) => [name, state])
    expect(states).toContainEqual(['Paused', { kind: 'hindered', fault: 'queue-paused' }])
    expect(states).toContainEqual(['Rejecting', { kind: 'hindered', fault: 'queue-rejecting' }])
  })

  test('marks a queue without a driver, unless its printer itself knows the format of a job', async () => {
    await system.addRawQueue('Raw', 'socket://localhost:1')
    await system.addRawQueue('OtherServer', 'ipp://localhost:1/printers/Receipt')
    await system.addRawQueue('Driverless', 'ipp://localhost:1/ipp/print')
    const raw = (await listed()).filter(({ isRaw }) => isRaw).map(({ name }) => name)
    expect(raw).toContain('Raw')
    for (const name of ['Receipt', 'OtherServer', 'Driverless']) expect(raw).not.toContain(name)
  })

  test('finds a queue by its name after a restart of the print system', async () => {
    await system.stopScheduler()
    expect(await printing.list()).toEqual({
      ok: false,
      failure: { kind: 'not-printed', fault: 'print-system-down', mayStillPrint: false }
    })
    await system.startScheduler()
    expect((await listed()).map(({ name }) => name)).toContain('Receipt')
    const destination = { kind: 'queue', name: 'Receipt' } as const
    const slip = await sampleSlip(80, 120)
    expect((await printing.print(slip, destination)).ok).toBe(true)
  })

  test('is empty on a print system without queues', async () => {
    for (const { name } of await listed()) await system.command('lpadmin', '-x', name)
    expect(await listed()).toEqual([])
  })
})
