import { makeEvent, refuse, strict, type StandInEvent } from '../strict.ts'

type Arguments = [
  event: StandInEvent,
  url: string,
  error: string,
  certificate: object,
  callback: (trust: boolean) => void
]

/** The arguments of the event `certificate-error`. Chromium has refused already; trusting anyway is refused loudly. */
export function certificateError(url: string, name: string): Arguments {
  const certificate = strict('Certificate', {})
  const callback = (trust: boolean): void => {
    if (trust) refuse('trusting a certificate in certificate-error')
  }
  return [makeEvent({}), url, `net::${name}`, certificate, callback]
}
