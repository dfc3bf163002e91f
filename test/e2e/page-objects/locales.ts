/** The compiled screen messages of every language, for finding controls by their names. */
import { messagesByLanguage } from '../../../generated/messages/screen/all.js'

export type ScreenMessages = (typeof messagesByLanguage)['en']

/** The screen messages by language. */
export const SCREEN_MESSAGES = messagesByLanguage
