/** Where this installation was packed to look for updates. */
import { app } from 'electron'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { parseFeed } from '../../contract/feed-address.ts'

/** The feed that `npm run dist` wrote into package.json, or null. */
export function builtInFeed(): string | null {
  const manifest: unknown = JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'))
  const read = v.safeParse(v.object({ updateFeed: v.nullish(v.string()) }), manifest)
  return read.success && read.output.updateFeed ? parseFeed(read.output.updateFeed) : null
}
