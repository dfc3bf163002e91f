/** Chromium's switches from the command line and from the app's code; Chromium gets them at its start. */
export const appSwitches = new Map<string, string>()

/** Takes over the switches of the command line, before the app's code runs. */
export function readAppSwitches(argv: readonly string[]): void {
  for (const arg of argv) {
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(arg)
    if (match?.[1] !== undefined) appSwitches.set(match[1], match[2] ?? '')
  }
}
