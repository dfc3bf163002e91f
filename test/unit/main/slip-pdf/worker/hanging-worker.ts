/** A PDF worker that hangs in its first request, as a document could make it. */
process.parentPort.on('message', () => {
  for (;;);
})
