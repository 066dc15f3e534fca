import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'

/** The Chromium of the system, preferably the one without windows, which takes less time (Debian: chromium-headless-shell). Tests that need one are skipped without it. */
export const chromiumPath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path))

/** A microphone that beeps, and needs no consent. */
const microphone = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

export async function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('This machine has no Chromium.')
  // Loaded only by tests that use it.
  const { chromium } = await import('playwright-core')
  return chromium.launch({
    executablePath: chromiumPath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', ...microphone],
  })
}
