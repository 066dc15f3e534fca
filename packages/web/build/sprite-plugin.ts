import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { webRoot } from './paths.ts'

/** Puts the icons into the page itself: the parser may create them, while a script would need a Trusted Types policy. */
export function spritePlugin(): Plugin {
  return {
    name: 'millrace:sprite',
    transformIndexHtml: (html) => html.replace('<!--sprite-->', readFileSync(join(webRoot, 'src/ui/sprite.svg'), 'utf8').trim()),
  }
}
