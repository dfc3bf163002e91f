/** How much memory main keeps for the next time. */
import { setFlagsFromString } from 'node:v8'

/**
 * Keeps main's room for what lives briefly as small as it is at the start. V8 doubles it while much is made at once, up
 * to some 130 MB, and gives it back late or never; a till makes little at a time, and what it makes is gone with the
 * next collection. Of the flags that limit it, a V8 that runs already takes only this one.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
