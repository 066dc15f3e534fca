import { ClientError } from '@millrace/client'
import { QueryClient } from '@tanstack/react-query'

const retriesMax = 2

/** Whether the server is on the machine of the browser, which reaches it without any network. */
export const isServerHere = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname)

/** Server state of all pages. Reading repeats by itself only where a short wait helps. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: isServerHere ? 'always' : 'online',
      staleTime: 10_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < retriesMax && isShort(error),
      retryDelay: (failures, error) => (error instanceof ClientError ? (error.retryAfterSeconds ?? 1) * 1000 : 500 * 2 ** failures),
    },
    mutations: { retry: false, networkMode: isServerHere ? 'always' : 'online' },
  },
})

function isShort(error: unknown): boolean {
  if (!(error instanceof ClientError)) return error instanceof TypeError
  return error.status === 503
}
