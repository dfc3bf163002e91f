import { appSwitches } from './app-switches.ts'

/** The machine's languages as the environment names them, best first: `de_DE.UTF-8` becomes `de-DE`. */
function environmentLanguages(): string[] {
  const { LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = process.env
  const names = [...(LANGUAGE ?? '').split(':'), LC_ALL, LC_MESSAGES, LANG]
  const tags = names
    .map((name) => (name ?? '').replace(/[.@].*$/, '').replaceAll('_', '-'))
    .filter((name) => /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(name))
  return [...new Set(tags)]
}

/** The language of the app: the switch `lang`, else the machine's. */
export function getPreferredLocale(): string {
  const given = appSwitches.get('lang')
  return given === undefined || given === '' ? systemLocale() : given
}

function systemLocale(): string {
  return environmentLanguages()[0] ?? 'en-US'
}

export function preferredLanguages(): string[] {
  const languages = environmentLanguages()
  return languages.length > 0 ? languages : ['en-US']
}

/** The country of the machine's locale in two letters; empty when it names none. */
export function countryCode(): string {
  const { LC_ALL, LANG } = process.env
  const named = [LC_ALL, LANG].find((name) => name !== undefined && name !== '')
  return /_([A-Z]{2})/.exec(named ?? '')?.[1] ?? ''
}
