import type { Protocol } from '../chromium/connection.ts'
import { makeEvent, type StandInEvent } from '../strict.ts'
import type { PageTarget } from './page-target.ts'
import { textFromChromium } from './scheme-map.ts'

interface ConsoleMessage extends StandInEvent {
  readonly level: string
  readonly message: string
  readonly lineNumber: number
  readonly sourceId: string
}

const LEVELS: Readonly<Record<string, string>> = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
  debug: 'debug',
  verbose: 'debug'
}

/** Subscribes to the console messages and uncaught errors of a page, and to what Chromium reports about it. */
export function watchConsole(page: PageTarget, hear: (message: ConsoleMessage) => void): void {
  const tell = (level: string, message: string, lineNumber = 0, sourceId = ''): void =>
    hear(
      makeEvent({
        level: LEVELS[level] ?? 'info',
        message: textFromChromium(message),
        lineNumber,
        sourceId: textFromChromium(sourceId)
      })
    )
  page.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
    const frame = stackTrace?.callFrames[0]
    tell(type, args.map(textOf).join(' '), (frame?.lineNumber ?? -1) + 1, frame?.url)
  })
  page.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
    const { text, exception, lineNumber, url } = exceptionDetails
    const thrown = exception?.description ?? (exception && textOf(exception)) ?? ''
    tell('error', `${text} ${thrown.split('\n')[0]}`.trim(), lineNumber + 1, url)
  })
  page.on('Log.entryAdded', ({ entry }) => tell(entry.level, entry.text, entry.lineNumber, entry.url))
}

function textOf(value: Protocol.Runtime.RemoteObject): string {
  if (value.type === 'string') return String(value.value)
  if (value.type === 'undefined') return 'undefined'
  return value.description ?? value.unserializableValue ?? JSON.stringify(value.value)
}
