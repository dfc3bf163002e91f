import { readFile, stat } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import {
  createCommands,
  faultOfLp,
  jobNumber,
  lpArguments
} from '../../../../../electron/main/printing/cups/commands.ts'
import type { PrintJob } from '../../../../../electron/main/printing/job.ts'

const slip: PrintJob = {
  pdf: Buffer.from('%PDF-1.7 slip'),
  title: '--title',
  widthMillimetres: 80,
  heightMillimetres: 123.456
}

describe('lp', () => {
  test('is told the exact size and to scale nothing', () => {
    expect(lpArguments('Receipt', { ...slip, copies: 2 }, '/tmp/a.pdf')).toEqual([
      '-d',
      'Receipt',
      '-t',
      '--title',
      '-n',
      '2',
      '-o',
      'PageSize=Custom.80x123.46mm',
      '-o',
      'print-scaling=none',
      '--',
      '/tmp/a.pdf'
    ])
  })

  test.each([
    [105, 148, 'PageSize=A6'],
    [210, 297, 'PageSize=A4'],
    [104.999_97, 147.999_99, 'PageSize=A6'],
    [58, 90, 'PageSize=Custom.58x90mm']
  ])('is told %d by %d mm as %s', (widthMillimetres, heightMillimetres, size) => {
    expect(lpArguments('Q', { ...slip, widthMillimetres, heightMillimetres }, 'f')).toContain(size)
  })

  test('gets a file that only this user reads, and that is gone afterwards', async () => {
    const seen: { file: string; mode: number; bytes: string }[] = []
    const commands = createCommands(
      async (_command, args) => {
        const file = args.at(-1) ?? ''
        const { mode } = await stat(file)
        seen.push({ file, mode: mode & 0o777, bytes: await readFile(file, 'utf8') })
        return { code: 0, stdout: '', stderr: '' }
      },
      {},
      1000
    )
    await commands.lp('Q', slip)
    const [{ file, ...rest } = { file: '' }] = seen
    if (process.platform !== 'win32') expect(rest).toEqual({ mode: 0o600, bytes: '%PDF-1.7 slip' })
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  test.each([
    ['request id is Receipt80-12 (1 file(s))\n', 12],
    ['request id is Till-2-7 (1 file(s))\n', 7],
    ['', null],
    ['lp: The printer or class does not exist.', null]
  ])('says %o: job %o', (stdout, id) => {
    expect(jobNumber(stdout)).toBe(id)
  })

  test.each([
    ['lp: Destination "Q" is not accepting jobs.', 'queue-rejecting'],
    ['lp: Not allowed to print.', 'permission-denied'],
    ['lp: Forbidden', 'permission-denied'],
    ['lp: Unsupported document-format "application/x".', 'bad-document'],
    // an unknown queue and a dead scheduler say the same
    ['lp: The printer or class does not exist.', null]
  ])('says %o: %o', (stderr, fault) => {
    expect(faultOfLp(stderr)).toBe(fault)
  })
})
