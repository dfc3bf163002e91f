/** Printing to a CUPS on another machine: a real one, by addresses that are not loopback, in a network of its own. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { printSystemSkipReason, runProgram } from '../support/print-system/programs.ts'
import { notPrinted } from '../support/not-printed.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Namespaces are for root, and many containers and every `chroot` refuse them. A build server must have them. */
const hasNamespaces =
  Boolean(process.env['CI']) || spawnSync('unshare', ['--net', '--mount', 'true']).status === 0

describe.skipIf(printSystemSkipReason() !== null || !hasNamespaces)(
  'a CUPS server on another machine',
  () => {
    let results: unknown
    beforeAll(async () => {
      const { stdout } = await runProgram('unshare', [
        ...['--net', '--mount', 'sh', here('./remote-cups.sh')],
        ...[process.execPath, here('./print-on-remote-cups.ts')]
      ])
      results = JSON.parse(stdout)
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
