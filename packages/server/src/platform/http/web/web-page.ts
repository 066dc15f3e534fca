import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What the page knows before its first request. */
export type BootData = Readonly<Record<string, unknown>>

export interface Page {
  readonly status: 200 | 503
  readonly html: string
  readonly policy: string
}

/** Preferences that a browser sends with the request of the page, so that neither theme nor direction changes after the first paint. */
interface Preferences {
  readonly theme: 'light' | 'dark' | undefined
  readonly locale: 'en' | 'ar'
}

/** Makes the page of the interface: per request, with a nonce and its boot data. The file is read again after a build. */
export function createWebPage(directory: string): (boot: BootData, headers: { cookie?: string; language?: string }) => Promise<Page> {
  const path = join(directory, 'index.html')
  let known: { readonly at: number; readonly html: string } | undefined
  const template = async () => {
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) return undefined
    if (known?.at !== found.mtimeMs) known = { at: found.mtimeMs, html: await readFile(path, 'utf8') }
    return known.html
  }
  return async (boot, { cookie, language }) => {
    const nonce = randomBytes(16).toString('base64')
    const html = await template()
    if (html === undefined) return { status: 503, html: notBuilt(nonce), policy: policyOf(nonce) }
    const preferences = preferencesOf(cookie, language)
    return { status: 200, html: filled(html, nonce, { ...boot, ...preferences }, preferences), policy: policyOf(nonce) }
  }
}

function filled(html: string, nonce: string, boot: BootData, { theme, locale }: Preferences): string {
  const root = `<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}"${theme === undefined ? '' : ` data-theme="${theme}"`}>`
  // In a script element only "</" and "<!--" could end the text early.
  const data = JSON.stringify(boot).replaceAll('<', String.raw`\u003c`)
  const head = `<meta property="csp-nonce" nonce="${nonce}"><script type="application/json" id="boot">${data}</script>`
  return html.replace('<html lang="en">', () => root).replace('<!--boot-->', () => head)
}

function preferencesOf(cookie = '', language = ''): Preferences {
  const theme = /(?:^|;\s*)millrace_theme=(light|dark)(?:;|$)/.exec(cookie)?.[1]
  const chosen = /(?:^|;\s*)millrace_locale=(en|ar)(?:;|$)/.exec(cookie)?.[1]
  const accepted = language.trim().toLowerCase().startsWith('ar') ? 'ar' : 'en'
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    locale: chosen === 'ar' || chosen === 'en' ? chosen : accepted,
  }
}

/** Nothing from other origins, no inline script, no string that becomes code. */
function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types markdown workers',
  ].join('; ')
}

function notBuilt(nonce: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="2">
<title>Millrace: the interface is not built yet</title><link rel="icon" href="data:,">
<style nonce="${nonce}">:root{color-scheme:light dark}body{font:16px/24px system-ui,sans-serif;margin:20vh auto;max-inline-size:34rem;padding-inline:1rem}h1{font-size:1.5rem}code{font-size:.9em}</style></head>
<body><h1>The interface is not built yet</h1>
<p>The server runs. <code>npm start</code> builds the pages beside it, which takes some seconds; this page then loads again by itself.</p>
<p>If the server was started in another way, or the page stays: run <code>npm run build:web</code> and read what it prints. The API and its <a href="/docs">reference</a> work without the interface.</p></body></html>`
}
