/** Tells the page which versions it runs on, as a starter does. */
import { contextBridge } from 'electron'

contextBridge.exposeInMainWorld('versions', {
  electron: process.versions['electron'],
  chrome: process.versions['chrome'],
  node: process.versions.node
})
