const lengthMax = 100

// The order matters: Edge and Opera also contain the name Chrome, and Chrome that of Safari.
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+.*\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** The name of a client by its `User-Agent`, such as “Firefox on Linux” or “curl”, by which users recognise their devices. */
export function deviceOf(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  // Not a browser: the name of the product, without its version.
  const product = /^[\w.+-]+/.exec(userAgent)?.[0].slice(0, lengthMax)
  return product === 'Mozilla' ? system : product
}
