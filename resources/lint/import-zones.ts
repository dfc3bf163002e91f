/** What each folder may import. */

/**
 * The services of main, each above those that it may import: a constructor takes the object that does the work. Without
 * Electron, so that each runs, and is tested, in plain Node.
 */
export const services = [
  'diagnostics',
  'updates',
  'slips',
  'offline',
  'operations',
  'reports',
  'upkeep',
  'slip-pdf',
  'printer-discovery',
  'printing',
  'customer-display',
  'rewards',
  'session',
  'policy',
  'loyalty',
  'images',
  'staff',
  'settings',
  'journal'
]

/** `target` must not import `from`, with the exceptions of `except`. Type imports count. */
export const zones = [
  {
    target: './electron/contract',
    from: [
      './electron/main',
      './electron/preload',
      './electron/service',
      './renderer',
      './test',
      './generated'
    ],
    message: 'The contract imports nothing.'
  },
  {
    target: './electron/preload',
    from: ['./electron/main', './electron/service', './renderer', './test', './generated'],
    message: 'The preload imports the contract only.'
  },
  {
    target: './renderer',
    from: ['./electron/main', './electron/preload', './electron/service', './test'],
    message: 'The page imports the contract only: it reaches main over the bridge.'
  },
  {
    target: './electron/service',
    from: [
      './electron/main',
      './electron/preload',
      './renderer',
      ...['screen', 'slip', 'dialogs', 'customer-display'].map((group) => `./generated/messages/${group}`)
    ],
    message:
      'The Loyalty Points Service imports the contract, the messages of its pages and npm packages only.'
  },
  ...[
    { target: 'domain', except: ['./domain'] },
    { target: 'store', except: ['./store', './domain'] },
    { target: 'api', except: ['./api', './domain', './store'] },
    { target: 'html', except: ['./html', './api', './domain', './store'] },
    { target: 'pages', except: ['./pages', './html', './api', './domain', './store'] },
    { target: 'manage', except: ['./manage', './html', './api', './domain', './store'] },
    { target: 'monitoring', except: ['./monitoring', './api', './domain', './store'] }
  ].map(({ target, except }) => ({
    target: `./electron/service/${target}`,
    from: './electron/service',
    except,
    message:
      'In the service, pages/ and manage/ import html/, these three and monitoring/ api/, store/ and domain/, api/ store/ and domain/, store/ domain/.'
  })),
  ...['index.ts', 'api/app.ts', 'api/routes.ts', 'seed'].map((target) => ({
    target: `./electron/service/${target}`,
    from: [
      'api/extension-openapi.ts',
      'api/pairing.ts',
      'cli',
      'domain/logo-worker.ts',
      'domain/logos.ts',
      'domain/staff.ts',
      'html',
      'manage',
      'monitoring',
      'pages',
      'server.ts',
      'store/attempts.ts',
      'store/devices.ts',
      'store/kept-forms.ts',
      'store/logos.ts',
      'store/staff-members.ts',
      'store/postgres.ts',
      'store/primary-pool.ts'
    ].map((file) => `./electron/service/${file}`),
    message: 'Training mode needs neither pairing nor pages, the command line, an HTTP server or PostgreSQL.'
  })),
  {
    target: './electron/main',
    from: './electron/service',
    except: ['./index.ts'],
    message: 'The till contains what training mode needs of the service, and no more.'
  },
  { target: './electron', from: ['./test'], message: 'The product imports no test.' },
  {
    target: './electron',
    from: './generated/messages/screen',
    message: 'The messages of the screen are for the page; electron/ uses the groups slip and dialogs.'
  },
  ...['ipc', 'local-interface'].map((name) => ({
    target: `./electron/main/${name}`,
    from: ['./electron/main/app', './electron/main/platform'],
    message: 'The handlers are created by app/, and run without Electron.'
  })),
  ...['platform', ...services].map((name) => ({
    target: `./electron/main/${name}`,
    from: './electron/main',
    except: [
      `./${name}`,
      './fs',
      './log',
      './exec.ts',
      './image-size.ts',
      './lazy.ts',
      './worker-thread.ts',
      ...(name === 'platform' ? [] : services.slice(services.indexOf(name) + 1).map((below) => `./${below}`))
    ],
    message: 'A service imports the services below it in the list; platform/ imports none.'
  })),
  {
    target: './electron/main/fs',
    from: './electron/main',
    except: ['./fs'],
    message: 'fs/ is used by every service and imports none.'
  },
  {
    target: './electron/main/log',
    from: './electron/main',
    except: ['./log', './fs'],
    message: 'log/ is used by every service and imports none.'
  }
]
