/** What the settings show of a till that is well, apart from one printer. */
import type { Diagnostics } from '../../../electron/contract/diagnostics.ts'
import { printers } from './sample-slips.ts'

export const diagnostics: Diagnostics = {
  versions: { till: '0.1.0', electron: '45.4.1', chromium: '154.0.8001.20', node: '24.21.0' },
  platform: { system: 'linux', release: '6.12.48', architecture: 'x64', locale: 'en-GB' },
  printers: { kind: 'listed', printers },
  journal: {
    version: 2,
    bytes: 18_432_000,
    slips: {
      requested: 0,
      issued: 1,
      printing: 0,
      printed: 12_480,
      'print-failed': 2,
      unknown: 1,
      refused: 31,
      shown: 0,
      given: 4,
      discarded: 9
    },
    copies: 118,
    batches: 6,
    first: '2026-02-02T08:14:10.000Z',
    last: '2026-11-21T12:04:51.000Z'
  },
  backups: { count: 14, newest: '~/.config/Tillpoints/backups/journal-2026-11-21.sqlite' },
  trouble: [
    {
      time: '2026-11-21T11:58:02.412Z',
      level: 'warn',
      event: 'slip-print-failed',
      details:
        '{"intentId":"0b8f1c1e-5d0f-4d8e-9b7a-2f6f0a9b6c11","failure":"not-printed","fault":"out-of-paper"}'
    },
    {
      time: '2026-11-20T17:31:44.020Z',
      level: 'error',
      event: 'backup-failed',
      details: '{"backup":"journal-2026-11-20.sqlite","error":{"error":"NoRoom"}}'
    }
  ]
}
