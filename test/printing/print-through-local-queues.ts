/**
 * Prints on queues without a driver that pass their jobs on to the queues of another real CUPS, by an address that is not
 * loopback, and writes the results as JSON. Run by `remote-cups.sh`.
 */
import { DEFAULT_RECEIPT_OPTIONS } from '../../electron/contract/printing.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { startPrintSystem } from '../support/print-system/index.ts'
import { readSlip } from '../support/read-slip.ts'
import { SamplePrinting, sampleSlip } from './sample-slip.ts'

const ADDRESS = '192.0.2.1:8631'

const [remote, local] = [await startPrintSystem(), await startPrintSystem()]
const printing = new SamplePrinting({ platform: 'linux', environment: local.environment, log: noOpLogger })

async function listed(name: string) {
  const printers = await printing.list()
  if (!printers.ok) return printers.failure
  const printer = printers.value.find((one) => one.name === name)
  return { state: printer?.state, papers: printer?.offered.papers, isRaw: printer?.isRaw }
}

const print = async (name: string, width: number, height: number) =>
  printing.print(await sampleSlip(width, height), { kind: 'queue', name })

const printCommands = async (name: string) =>
  printing.print(await sampleSlip(80, 120), {
    kind: 'receipt-printer',
    connection: { kind: 'raw-queue', name },
    ...DEFAULT_RECEIPT_OPTIONS
  })

/** What the printers of the other server got last. */
async function lastPage() {
  const documents = [...(await remote.receipt.received()), ...(await remote.office.received())]
  const read = await readSlip(documents.at(-1) ?? new Uint8Array())
  return {
    width: read.widthMillimetres.toFixed(1),
    height: read.heightMillimetres.toFixed(1),
    codes: read.codes
  }
}

const results: Record<string, unknown> = {}
try {
  await remote.configureScheduler({ server: `Listen ${ADDRESS}\n` })
  await remote.addRawQueue('Raw')
  await remote.command('lpadmin', '-p', 'Raw', '-o', 'printer-is-shared=true')
  await remote.addDriver('Labels', 'drv:///sample.drv/zebra.ppd')
  await remote.addClass('Counter', 'Receipt')
  for (const name of ['Receipt', 'Office', 'Raw', 'Labels', 'Counter', 'Missing'])
    await local.addRawQueue(`Far${name}`, `ipp://${ADDRESS}/printers/${name}`)
  await local.addClass('Near', 'FarReceipt')
  for (const name of ['FarReceipt', 'FarOffice', 'FarRaw', 'FarLabels', 'FarCounter', 'FarMissing', 'Near'])
    results[name] = { listed: await listed(name) }
  results['a roll'] = { result: await print('FarReceipt', 80, 120.5), page: await lastPage() }
  results['a roll through classes'] = { result: await print('Near', 58, 90), page: await lastPage() }
  results['a sheet'] = { result: await print('FarOffice', 105, 148), page: await lastPage() }
  results['a sheet on rolls'] = await print('FarReceipt', 105, 148)
  results['without a driver'] = await print('FarRaw', 80, 120)
  results['commands'] = await printCommands('FarRaw')
  results['commands for a printer of IPP'] = await printCommands('FarReceipt')
  results['without a queue'] = await print('FarMissing', 80, 120)
  await remote.stopScheduler()
  results['switched off'] = { listed: await listed('FarReceipt'), result: await print('FarReceipt', 80, 120) }
} finally {
  await local.stop()
  await remote.stop()
}
process.stdout.write(JSON.stringify(results))
