import { describe, expect, test } from 'vitest'
import type { PrintDestination } from '../../../../electron/contract/printing.ts'
import { Printing } from '../../../../electron/main/printing/index.ts'
import type { Exec } from '../../../../electron/main/exec.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'

const slip = {
  pdf: Buffer.from('%PDF-1.7'),
  title: 'Points slip',
  widthMillimetres: 80,
  heightMillimetres: 120
}

const printing = (platform: NodeJS.Platform, exec: Exec) => {
  const commands: string[] = []
  return {
    commands,
    till: new Printing({
      platform,
      environment: {},
      log: noOpLogger,
      exec: (command, args, options) => {
        commands.push(command)
        return exec(command, args, options)
      }
    })
  }
}
const nothingInstalled: Exec = () => Promise.resolve({ code: null, stdout: '', stderr: '', cause: 'ENOENT' })
const queue: PrintDestination = { kind: 'queue', name: 'Q' }

describe('printing', () => {
  test.each([
    ['linux', 'lpstat'],
    ['darwin', 'lpstat'],
    ['win32', 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe']
  ] as const)('on %s asks %s', async (platform, command) => {
    const { till, commands } = printing(platform, nothingInstalled)
    const down = {
      ok: false,
      failure: { kind: 'not-printed', fault: 'print-system-down', mayStillPrint: false }
    }
    expect(await till.print(slip, queue)).toEqual(down)
    expect(await till.list()).toEqual(down)
    expect(new Set(commands)).toEqual(new Set([command]))
  })

  test('never rejects, and takes nothing unforeseen for certainly not printed', async () => {
    const { till } = printing('linux', () => Promise.reject(new Error('unforeseen')))
    expect(await till.print(slip, queue)).toEqual({
      ok: false,
      failure: { kind: 'not-printed', fault: 'unknown', mayStillPrint: true }
    })
    expect(await till.list()).toEqual({ ok: false, failure: { kind: 'internal' } })
  })
})
