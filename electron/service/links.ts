/** Addresses that this service hands out. All of them lie outside the documented interface, and need no token. */

/** Path patterns of the public addresses, as the router takes them. */
export const PUBLIC_PATHS = {
  logo: '/pictures/logo.png',
  avatar: '/pictures/avatars/:file{[a-z0-9_]{1,40}\\.png}',
  codeImage: '/q/:file{[0-9A-Z]{1,40}\\.png}',
  code: '/q/:code{[0-9A-Z]{1,40}}',
  join: '/join'
} as const

/** Makes links below `publicUrl`, an origin such as `http://127.0.0.1:4010`. */
export const linksBelow = (publicUrl: string) => {
  const base = publicUrl.replace(/\/+$/, '')
  return {
    logo: `${base}/pictures/logo.png`,
    join: `${base}/join`,
    avatar: (customerId: string) => `${base}/pictures/avatars/${customerId}.png`,
    code: (code: string) => `${base}/q/${code}`,
    codeImage: (code: string) => `${base}/q/${code}.png`
  }
}

export type Links = ReturnType<typeof linksBelow>
