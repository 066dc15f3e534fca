import { expect, test } from 'vitest'
import { builtManifest } from './manifest.ts'

test('what pointed at TypeScript points at JavaScript, and the rest stays', () => {
  const manifest = {
    name: 'a',
    version: '1.0.0',
    private: true,
    dependencies: { b: '2.0.0' },
    devDependencies: { c: '3.0.0' },
    exports: { '.': './src/index.ts', './testing/*': './src/testing/*' },
    imports: { '#core/*': './src/core/*', '#testing/*': './test/testing/*', '#manifest': './package.json' },
    bin: { a: './src/main.ts' },
  }
  expect(builtManifest(manifest, 'library')).toEqual({
    name: 'a',
    version: '1.0.0',
    dependencies: { b: '2.0.0' },
    exports: { '.': { types: './src/index.d.ts', default: './src/index.js' } },
    imports: {
      '#core/*.ts': { types: './src/core/*.d.ts', default: './src/core/*.js' },
      '#core/*': './src/core/*',
      '#manifest': './package.json',
    },
    bin: { a: './src/main.js' },
  })
})

test('a package without exports gets none', () => {
  expect(builtManifest({ name: 'a', version: '1.0.0' }, 'library')).toEqual({ name: 'a', version: '1.0.0' })
})

test('a program points at its code alone', () => {
  const manifest = { name: 'a', version: '1.0.0', exports: { '.': './src/index.ts' }, imports: { '#core/*': './src/core/*' } }
  expect(builtManifest(manifest, 'program')).toMatchObject({
    exports: { '.': './src/index.js' },
    imports: { '#core/*.ts': './src/core/*.js' },
  })
})
