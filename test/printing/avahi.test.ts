import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { printSystemSkipReason, runProgram } from '../support/print-system/programs.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Namespaces are for root, and many containers and every `chroot` refuse them. A build server must have them. */
const hasNamespaces =
  Boolean(process.env['CI']) || spawnSync('unshare', ['--net', '--mount', 'true']).status === 0

test.skipIf(printSystemSkipReason() !== null || !hasNamespaces)(
  'each printer that Avahi announces is one row, which waits for its queue',
  async () => {
    const { stdout } = await runProgram('unshare', [
      ...['--net', '--mount', 'sh', here('./avahi.sh')],
      ...[process.execPath, here('./find-announced.ts')]
    ])
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'EPSON TM-m30III', destination: null },
      { name: 'Star mC-Print3', destination: null }
    ])
  }
)
