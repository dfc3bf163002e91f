/** The till's language while no language is selected in the settings. */
import { app } from 'electron'
import { chooseLanguage, type Language } from '../../contract/language.ts'

/**
 * Returns the system's first language that the till has, or English. Before the app is ready, Chromium's locale is not
 * known, and only the system's list counts.
 */
export const systemLanguage = (): Language =>
  chooseLanguage([...(app.isReady() ? [app.getLocale()] : []), ...app.getPreferredSystemLanguages()])
