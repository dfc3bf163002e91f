/** The compiled screen messages of every language, for finding controls by their names. */
import type { Language } from '../../../electron/contract/language.ts'
import * as ar from '../../../generated/messages/screen/ar.js'
import * as de from '../../../generated/messages/screen/de.js'
import * as el from '../../../generated/messages/screen/el.js'
import * as en from '../../../generated/messages/screen/en.js'
import * as es from '../../../generated/messages/screen/es.js'
import * as fr from '../../../generated/messages/screen/fr.js'

export type ScreenMessages = typeof en

/** The screen messages by language. */
export const SCREEN_MESSAGES: Readonly<Record<Language, ScreenMessages>> = { ar, de, el, en, es, fr }
