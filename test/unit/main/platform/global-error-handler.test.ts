import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LANGUAGES } from '../../../../electron/contract/language.ts'
import { messagesByLanguage } from '../../../../generated/messages/dialogs/all.js'
import { noOpLogger } from '../../../support/no-op-logger.ts'

/** The state of the fake Electron, and the recorded calls in order. */
const { machine } = vi.hoisted(() => ({
  machine: {
    ready: true,
    locale: 'en-GB',
    windows: [] as { isVisible(): boolean }[],
    did: [] as unknown[],
    answers: [] as number[],
    shown: [] as { message?: string; detail?: string }[],
    /** the parent window of each dialog, if any */
    parentWindows: [] as unknown[]
  }
}))

vi.mock('electron', () => ({
  app: {
    isReady: () => machine.ready,
    getLocale: () => machine.locale,
    getPreferredSystemLanguages: () => [machine.locale],
    getPath: () => '/opt/Tillpoints/tillpoints',
    relaunch: () => machine.did.push('relaunch', process.env['SECRET']),
    quit: () => machine.did.push('quit'),
    exit: (code: number) => machine.did.push(`exit ${String(code)}`)
  },
  BrowserWindow: { getAllWindows: () => machine.windows },
  dialog: {
    showErrorBox: (title: string, text: string) => machine.did.push(['box', title, text]),
    showMessageBox: (
      ...asked: ({ buttons: string[]; message?: string; detail?: string } | { isVisible(): boolean })[]
    ) => {
      const options = asked.find((one) => 'buttons' in one)
      if (!options) throw new Error('Nothing is asked')
      machine.shown.push(options)
      machine.parentWindows.push(asked.length > 1 ? asked[0] : null)
      const response = machine.answers.shift()
      if (response === undefined) return new Promise(() => undefined)
      machine.did.push(options.buttons[response])
      return Promise.resolve({ response })
    }
  }
}))

const { UnreadableFileError } = await import('../../../../electron/main/fs/atomic-write.ts')
const { GlobalErrorHandler } = await import('../../../../electron/main/platform/global-error-handler.ts')
const { Relauncher } = await import('../../../../electron/main/platform/relaunch.ts')

const logged: string[] = []
const write = (event: string, details: object = {}): void => {
  const { error } = details as { error?: unknown }
  logged.push(error instanceof Error ? `${event}: ${error.message}` : event)
}
const createHandler = () =>
  new GlobalErrorHandler(
    { error: write, warn: write, info: write, debug: write },
    '/till/logs',
    new Relauncher({ SECRET: 'taken out' }, noOpLogger)
  )

beforeEach(() => {
  machine.ready = true
  machine.locale = 'en-GB'
  machine.did.length = 0
  machine.answers = []
  machine.shown.length = 0
  machine.parentWindows.length = 0
  machine.windows = []
  logged.length = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  process.removeAllListeners('uncaughtException')
  process.removeAllListeners('unhandledRejection')
})

const settle = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined)

describe('an uncaught error', () => {
  it('opens its dialog in the visible window, and never in a hidden one', async () => {
    const hidden = { isVisible: () => false }
    const seen = { isVisible: () => true }
    machine.windows = [hidden]
    machine.answers = [1, 1]
    createHandler().report('start', new Error('before the window showed'))
    await settle()
    machine.windows = [hidden, seen]
    createHandler().report('uncaught', new Error('after it did'))
    await settle()
    expect(machine.parentWindows).toEqual([null, seen])
  })

  it('is logged and shown with the path of the log; Restart closes the till first', async () => {
    machine.answers = [0]
    createHandler().report('uncaught', new Error('unforeseen'))
    await settle()
    // The next process inherits what this one has removed from its environment.
    expect(machine.did).toEqual(['Restart', 'relaunch', 'taken out', 'quit'])
    expect(process.env['SECRET']).toBeUndefined()
    expect(machine.shown[0]?.detail).toContain('/till/logs')
    expect(logged).toEqual(['uncaught-error: unforeseen', 'error-dialog-answered'])
  })

  it('quits without a restart on Quit', async () => {
    machine.answers = [1]
    createHandler().report('uncaught', new Error('unforeseen'))
    await settle()
    expect(machine.did).toEqual(['Quit', 'quit'])
  })

  it('is shown once while the dialog is open, and logged each time', async () => {
    const resort = createHandler()
    for (const message of ['one', 'two', 'three']) resort.report('uncaught', new Error(message))
    await settle()
    expect(machine.shown).toHaveLength(1)
    expect(logged).toEqual(['uncaught-error: one', 'uncaught-error: two', 'uncaught-error: three'])
  })

  it('ends a till that can no longer close', async () => {
    machine.answers = [1]
    createHandler().report('uncaught', new Error('unforeseen'))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(machine.did).toEqual(['Quit', 'quit', 'exit 1'])
  })

  it('offers to save diagnostics, and opens the dialog again afterwards', async () => {
    const resort = createHandler()
    resort.offerDiagnostics(
      () => Promise.resolve(machine.did.push('saved')),
      () => true
    )
    machine.answers = [2, 1]
    resort.report('uncaught', new Error('unforeseen'))
    await settle()
    expect(machine.did).toEqual(['Save diagnostics', 'saved', 'Quit', 'quit'])
  })

  it('offers no diagnostics while the lock forbids them', async () => {
    const resort = createHandler()
    resort.offerDiagnostics(
      () => Promise.resolve(machine.did.push('saved')),
      () => false
    )
    machine.answers = [1]
    resort.report('uncaught', new Error('unforeseen'))
    await settle()
    expect(machine.shown).toMatchObject([{ buttons: ['Restart', 'Quit'] }])
    expect(machine.did).toEqual(['Quit', 'quit'])
  })

  it('ends the till when the dialog cannot be shown', async () => {
    const resort = createHandler()
    resort.offerDiagnostics(
      () => Promise.reject(new Error('no disk')),
      () => true
    )
    machine.answers = [2]
    resort.report('uncaught', new Error('unforeseen'))
    await settle()
    expect(machine.did.at(-1)).toBe('exit 1')
  })

  it('before Electron is ready is shown in an error box, and ends the till', () => {
    machine.ready = false
    createHandler().report('start', new Error('too early'))
    expect(machine.did).toEqual([['box', 'Tillpoints', expect.stringContaining('/till/logs')], 'exit 1'])
  })

  it('is caught from exceptions and rejections', () => {
    createHandler().register()
    process.emit('uncaughtException', new Error('thrown'))
    process.emit('unhandledRejection', new Error('rejected'), Promise.resolve())
    expect(logged).toEqual(['uncaught-error: thrown', 'uncaught-error: rejected'])
  })
})

describe('the language of the error dialog', () => {
  it.each(LANGUAGES)('is the till’s when the settings are read: %s', async (language) => {
    const handler = createHandler()
    handler.setLanguages({ screen: language })
    machine.answers = [0]
    handler.report('page', new Error('unforeseen'))
    await settle()
    const m = messagesByLanguage[language]
    expect(machine.shown[0]?.message).toBe(m.errorMessage({ occasion: 'page' }))
    expect(machine.shown[0]?.detail).toContain(m.errorLog())
    expect(machine.did[0]).toBe(m.errorButton({ choice: 'restart' }))
  })

  it.each(LANGUAGES)('names a file that cannot be read: %s', async (language) => {
    machine.locale = language
    machine.answers = [0]
    createHandler().report('start', new UnreadableFileError('C:\\till\\settings.json', new Error('EBUSY')))
    await settle()
    const m = messagesByLanguage[language]
    expect(machine.shown[0]?.detail).toMatch(/^.*C:\\till\\settings\.json/)
    expect(machine.shown[0]?.detail).toContain(m.errorDetail({ occasion: 'start' }))
  })

  it('is the system’s before the settings are read', async () => {
    machine.locale = 'fr-CA'
    createHandler().report('start', new Error('unforeseen'))
    await settle()
    expect(machine.shown[0]?.message).toBe('Tillpoints n’a pas pu démarrer.')
  })

  it('is the system’s before Electron is ready', () => {
    machine.ready = false
    machine.locale = 'de-AT'
    createHandler().report('start', new Error('too early'))
    expect(machine.did[0]).toEqual([
      'box',
      'Tillpoints',
      'Tillpoints konnte nicht gestartet werden.\n/till/logs'
    ])
  })

  it('is English when the till does not have the system’s', async () => {
    machine.locale = 'ja'
    createHandler().report('start', new Error('unforeseen'))
    await settle()
    expect(machine.shown[0]?.message).toBe('Tillpoints could not start.')
  })
})
