/** Printing to a CUPS on another machine: a real one, by addresses that are not loopback, in a network of its own. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { printSystemSkipReason, runProgram } from '../support/print-system/programs.ts'
import { notPrinted } from '../support/not-printed.ts'
import { SAMPLE_URL } from './sample-slip.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Namespaces are for root, and many containers and every `chroot` refuse them. A build server must have them. */
const hasNamespaces =
  Boolean(process.env['CI']) || spawnSync('unshare', ['--net', '--mount', 'true']).status === 0

/** Runs a script in a network of its own. Resolves with the JSON that it writes. */
async function inOwnNetwork(script: string): Promise<unknown> {
  const { stdout } = await runProgram('unshare', [
    ...['--net', '--mount', 'sh', here('./remote-cups.sh')],
    ...[process.execPath, here(script)]
  ])
  return JSON.parse(stdout)
}

describe.skipIf(printSystemSkipReason() !== null || !hasNamespaces)(
  'a CUPS server on another machine',
  () => {
    let results: unknown
    beforeAll(async () => {
      results = await inOwnNetwork('./print-on-remote-cups.ts')
    })

    test.each([
      'by address',
      'by IPv6 address',
      'by name',
      'of client.conf',
      'of client.conf, encrypted',
      'that demands encryption',
      'whose certificate is known',
      'whose certificate was forgotten'
    ])('%s: lists its queues and prints', (name) => {
      expect(results).toHaveProperty([name, 'queues'], ['Office', 'Receipt'])
      expect(results).toHaveProperty([name, 'result', 'ok'], true)
    })

    test('that demands encryption: its certificate is remembered', () => {
      expect(results).toHaveProperty(
        ['whose certificate is known', 'certificate'],
        '-----BEGIN CERTIFICATE-----'
      )
    })

    test.each([
      'that demands encryption, while client.conf forbids it',
      'whose certificate is unknown, while client.conf trusts none',
      'with another certificate'
    ])('%s: gets nothing', (name) => {
      expect(results).toHaveProperty([name, 'result'], notPrinted('insecure-connection', false))
    })

    test('that asks for what only this machine may know: is not told', () => {
      const name = 'that asks for what only this machine may know'
      expect(results).toHaveProperty([name, 'result'], notPrinted('permission-denied', false))
      // JSON has no undefined: no request had a header.
      expect(results).toHaveProperty([name, 'authorizations'], [null, null, null])
    })
  }
)

describe.skipIf(printSystemSkipReason() !== null || !hasNamespaces)(
  'a queue without a driver to a queue of another CUPS',
  () => {
    let results: unknown
    beforeAll(async () => {
      results = await inOwnNetwork('./print-through-local-queues.ts')
    })

    test.each([
      ['FarReceipt', ['58mm', '80mm']],
      ['FarOffice', ['A6', 'A4']],
      ['FarLabels', ['58mm', '80mm', 'A6', 'A4']],
      ['FarCounter', ['58mm', '80mm']],
      ['Near', ['58mm', '80mm']]
    ])('offers the papers of that one: %s', (name, papers) => {
      expect(results).toHaveProperty([name, 'listed'], { state: { kind: 'ready' }, papers, isRaw: false })
    })

    test.each([
      ['a roll', '80.0', '120.5'],
      ['a roll through classes', '58.0', '90.0'],
      ['a sheet', '105.0', '148.0']
    ])('prints %s in its exact size', (what, width, height) => {
      expect(results).toHaveProperty([what, 'result', 'ok'], true)
      expect(results).toHaveProperty([what, 'page'], { width, height, codes: [SAMPLE_URL] })
    })

    test('refuses what that one does not take', () => {
      const refused = { fault: 'refused-size', mayStillPrint: false, offered: { papers: ['58mm', '80mm'] } }
      expect(results).toMatchObject({ 'a sheet on rolls': { ok: false, failure: refused } })
    })

    test('prints no PDF on one without a driver, but commands', () => {
      expect(results).toHaveProperty(['FarRaw', 'listed', 'isRaw'], true)
      expect(results).toHaveProperty(['without a driver'], notPrinted('refused-pdf', false))
      expect(results).toHaveProperty(['commands', 'ok'], true)
      expect(results).toHaveProperty(['commands for a printer of IPP'], notPrinted('refused-commands', false))
    })

    test('says that there is none any more', () => {
      const state = { kind: 'hindered', fault: 'unknown-queue' }
      expect(results).toHaveProperty(['FarMissing', 'listed'], { state, papers: [], isRaw: false })
      expect(results).toHaveProperty(['without a queue'], notPrinted('unknown-queue', false))
    })

    test('says that the other machine is switched off', () => {
      const state = { kind: 'hindered', fault: 'printer-offline' }
      expect(results).toHaveProperty(['switched off', 'listed'], { state, papers: [], isRaw: false })
      expect(results).toHaveProperty(['switched off', 'result'], notPrinted('printer-offline', false))
    })
  }
)
