import { expect, test } from 'vitest'
import { readConfig } from './read-config.ts'

const read = (env: Record<string, string>, file = '') => readConfig(env, { workingDirectory: '/srv', readTextFile: () => file }).models
const url = 'http://127.0.0.1:11434/v1/'

test('the simple form serves texts, and speech and comparisons where models are named', () => {
  const named = { MILLRACE_MODEL_NAME: 'a', MILLRACE_MODEL_SPEECH: 'b', MILLRACE_MODEL_EMBEDDING: 'c' }
  const models = read({ MILLRACE_MODEL_URL: url, ...named, MILLRACE_MODEL_KIND: 'ollama' })
  expect(models).toMatchObject({
    localUrl: 'http://127.0.0.1:11434',
    models: [
      { name: 'default', kind: 'ollama', url: 'http://127.0.0.1:11434/v1', model: 'a', roles: ['fast', 'strong', 'vision'] },
      { name: 'default-speech', model: 'b', roles: ['speech'] },
      { name: 'default-embedding', model: 'c', roles: ['embedding'] },
    ],
  })
  expect(read({ MILLRACE_MODEL_URL: 'https://api.anthropic.com/v1', MILLRACE_MODEL_NAME: 'a' }).models[0]?.kind).toBe('anthropic')
})

test('a key is never printed', () => {
  const file = JSON.stringify({ models: [{ name: 'a', url, model: 'm', key: 'the-key' }] })
  const models = read({ MILLRACE_MODELS_FILE: '/m.json' }, file)
  expect(models.models[0]?.key?.reveal()).toBe('the-key')
  expect(JSON.stringify(models)).not.toContain('the-key')
})

test.each([
  [{ MILLRACE_MODEL_URL: 'ftp://a' }, '', /MILLRACE_MODEL_URL/],
  [{ MILLRACE_MODEL_URL: 'https://user:key@a.example' }, '', /MILLRACE_MODEL_KEY/],
  [{ MILLRACE_MODEL_URL: url }, '', /MILLRACE_MODEL_NAME/],
  [{ MILLRACE_MODEL_NAME: 'a' }, '', /MILLRACE_MODEL_URL is not/],
  [{ MILLRACE_MODELS_FILE: '/m.json' }, '{', /not JSON/],
  [{ MILLRACE_MODELS_FILE: '/m.json' }, '{"models":[{"name":"a","url":"http://a","model":"m","role":"fast"}]}', /models\.0/],
  [
    { MILLRACE_MODELS_FILE: '/m.json' },
    JSON.stringify({ models: [1, 2].map(() => ({ name: 'a', url, model: 'm' })) }),
    /two models of the name "a"/,
  ],
  [
    { MILLRACE_MODELS_FILE: '/m.json' },
    JSON.stringify({ models: [{ name: 'a', kind: 'anthropic', url, model: 'm', roles: ['fast', 'speech'] }] }),
    /models\.0\.roles is invalid: the API of Anthropic serves no role "speech"/,
  ],
  [{ MILLRACE_MODEL_URL: 'https://api.anthropic.com/v1', MILLRACE_MODEL_EMBEDDING: 'm' }, '', /MILLRACE_MODEL_EMBEDDING.*Anthropic/],
])('%j with the file %j is a fault that names the variable', (env, file, message) => {
  expect(() => read(env, file)).toThrow(message)
})
