/** Searches printers until two were found with all their services, and prints them as JSON. Run by `avahi.test.ts`. */
import { MdnsSearch } from '../../electron/main/printer-discovery/printer-discovery.ts'
import { mergeWays } from '../../electron/main/printer-discovery/merge.ts'

/** `ippeveprinter` announces IPP with and without TLS. */
const SERVICES = 4

const search = new MdnsSearch(() => {
  const { announcements } = search
  const usable = announcements.filter(({ service }) => service.startsWith('_ipp'))
  if (usable.length < SERVICES) return
  search.stop()
  process.stdout.write(
    JSON.stringify(mergeWays({ announcements, usbPrinters: [], serialPorts: [], queues: [] }))
  )
})
await search.start()
