// Records what a person does on a page and the HTTP calls that the page makes, for a capture session of Millrace.
// Typed values are replaced by the names of their fields before anything is sent.
;(() => {
  const endpoint = document.currentScript?.dataset.endpoint
  if (endpoint === undefined || window.millraceRecorder === true) return
  window.millraceRecorder = true

  const storageKey = 'millrace-capture'
  const ledKey = 'millrace-capture-led' // The address that a form leads to, and the same without typed values.
  const refsMax = 300
  const nativeFetch = window.fetch.bind(window)
  const typed = new Map() // Value of a field → its name.
  const led = stored(ledKey)
  const refs = new Map(stored(storageKey)) // Value of a response → its placeholder. They are needed on the next page, too.
  const pending = new Map() // Requests without a response yet, by their sequence.
  let queue = []
  let last = 0
  let masks = true

  const sequence = () => (last = Math.max(last + 1, Date.now() * 1000))
  const push = (event) => queue.push({ sequence: sequence(), at: new Date().toISOString(), ...event })
  // Half of a character at the end would make the server refuse all events that are sent with it.
  const begin = (text, max) => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
  const end = (text, max) => text.slice(-max).replace(/^[\udc00-\udfff]/, '')
  const cut = (text, max) =>
    text === undefined || text === null ? undefined : begin(String(text).replace(/\s+/g, ' ').trim(), max) || undefined

  function stored(key) {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? '[]')
    } catch {
      return []
    }
  }

  function keep(key, value) {
    try {
      sessionStorage.setItem(key, JSON.stringify(value))
    } catch {
      // No room to keep it: the next page does not know it.
    }
  }

  function flush(leaving) {
    if (leaving) for (const event of pending.values()) queue.push(event)
    if (leaving) pending.clear()
    const events = queue.splice(0, 200)
    if (events.length === 0) return
    const body = JSON.stringify({ events })
    if (leaving && navigator.sendBeacon(endpoint, body)) return
    nativeFetch(endpoint, { method: 'POST', body, credentials: 'omit', keepalive: body.length < 60_000 })
      .then(async (response) => {
        if (response.status === 429 || response.status >= 500) queue = [...events, ...queue]
        else if (response.ok) masks = (await response.json()).maskInputs !== false
      })
      .catch(() => (queue = [...events, ...queue]))
  }

  // --- What a person does

  const isSecret = (element) => element.type === 'password' || /^(?:cc-|current-password|new-password)/.test(element.autocomplete ?? '')
  const isField = (element) => /^(?:INPUT|SELECT|TEXTAREA)$/.test(element?.tagName ?? '')
  const labelOf = (element) =>
    cut(
      element.getAttribute('aria-label') ??
        element.labels?.[0]?.innerText ??
        element.placeholder ??
        (isField(element) ? element.name : element.innerText),
      100,
    )
  const fieldOf = (element) => cut(element.name || element.id || labelOf(element), 100)?.replace(/[⟦⟧:]/g, ' ')
  const valueOf = (element) => (element.type === 'checkbox' || element.type === 'radio' ? String(element.checked) : element.value)

  function selectorOf(element) {
    if (element.id) return `#${CSS.escape(element.id)}`
    const tag = element.tagName.toLowerCase()
    if (element.dataset?.testid) return `${tag}[data-testid="${element.dataset.testid}"]`
    if (element.name) return `${tag}[name="${element.name}"]`
    const siblings = [...(element.parentElement?.children ?? [])].filter((other) => other.tagName === element.tagName)
    const own = siblings.length > 1 ? `${tag}:nth-of-type(${siblings.indexOf(element) + 1})` : tag
    const parent = element.parentElement
    return parent === null || parent === document.body ? own : end(`${selectorOf(parent)} > ${own}`, 500)
  }

  // The page that a form of the page before has led to has typed values in its address, too.
  const here = () => cut(location.href === led[0] ? led[1] : maskedUrl(location.href, maskedParts), 2048)
  const named = (element) => ({ url: here(), selector: end(selectorOf(element), 500), label: labelOf(element) })

  function remember(element) {
    const [field, value] = [fieldOf(element), valueOf(element)]
    if (field === undefined || value === '' || value === 'true' || value === 'false' || value === 'on') return
    for (const [known, name] of typed) if (name === field) typed.delete(known)
    typed.set(value, field)
  }

  addEventListener('input', ({ target }) => isField(target) && remember(target), true)
  addEventListener(
    'change',
    ({ target }) => {
      if (!isField(target)) return
      remember(target)
      const secret = isSecret(target)
      push({
        kind: 'change',
        ...named(target),
        field: fieldOf(target),
        secret,
        ...(masks || secret ? {} : { value: begin(valueOf(target), 4000) }),
      })
    },
    true,
  )
  addEventListener(
    'click',
    ({ target }) => {
      const element = target instanceof Element ? target.closest('a,button,input,select,summary,label,[role=button],[onclick]') : null
      if (element !== null && !(isField(element) && !/^(?:submit|button|image)$/.test(element.type)))
        push({ kind: 'click', ...named(element) })
    },
    true,
  )
  // After the handlers of the page, which may have sent the form themselves.
  addEventListener('submit', (event) => {
    const form = event.target
    for (const element of form.elements)
      if (isField(element) && !/^(?:checkbox|radio|hidden|submit|button|image)$/.test(element.type)) remember(element)
    push({ kind: 'submit', ...named(form), label: labelOf(event.submitter ?? form) })
    if (event.defaultPrevented) return
    const data = formOf(new FormData(form, event.submitter))
    const isPost = form.method.toLowerCase() === 'post'
    const url = new URL(form.action, location.href)
    const fields = Object.entries(data).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    const query = isPost ? '' : `?${fields.map(([name, value]) => `${encodeURIComponent(name)}=${encodedAround(masked(value))}`).join('&')}`
    url.search = isPost ? url.search : ''
    const address = maskedUrl(url.href) + query
    if (!isPost) {
      url.search = String(new URLSearchParams(fields))
      keep(ledKey, [url.href, address])
    }
    push({
      kind: 'request',
      request: {
        method: isPost ? 'POST' : 'GET',
        url: address,
        ...(isPost ? { contentType: form.enctype, body: maskedBody(data) } : {}),
      },
    })
    flush(true)
  })

  // --- The calls of the page

  function masked(leaf) {
    const text = String(leaf)
    const field = typed.get(text)
    if (field !== undefined) return typeof leaf === 'number' ? `⟦input:${field}:number⟧` : `⟦input:${field}⟧`
    const ref = refs.get(text)
    if (ref !== undefined) return ref
    if (typeof leaf !== 'string') return leaf
    return maskedParts(leaf)
  }

  /** The longest value first, since it may contain another one; what is replaced is not looked at again. */
  function maskedParts(text) {
    const values = [...typed.keys()]
      .filter((value) => value.length >= 4 && text.includes(value))
      .toSorted((one, other) => other.length - one.length)
    let pieces = [text]
    for (const value of values)
      pieces = pieces.flatMap((piece, index) =>
        index % 2 === 1 ? [piece] : piece.split(value).flatMap((part, at) => (at === 0 ? [part] : [`⟦input:${typed.get(value)}⟧`, part])),
      )
    return pieces.join('')
  }

  function maskedBody(value) {
    if (typeof value === 'string' || typeof value === 'number') return masked(value)
    if (Array.isArray(value)) return value.map(maskedBody)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskedBody(item)]))
    return value
  }

  /** Encodes what stands beside the placeholders: it is a part of an address. */
  function encodedAround(text) {
    const pieces = text.split(/(⟦[^⟦⟧]*⟧)/)
    return pieces.map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part))).join('')
  }

  function maskedUrl(href, mask = masked) {
    const piece = (text) => {
      try {
        const plain = decodeURIComponent(text.replaceAll('+', ' '))
        const replaced = mask(plain)
        return replaced === plain ? text : encodedAround(replaced)
      } catch {
        return text
      }
    }
    const [head, ...rest] = href.split('#')[0].split('?')
    const path = head
      .split('/')
      .map((segment, index) => (index < 3 ? segment : piece(segment)))
      .join('/')
    const query = rest.join('?').replace(/([^&=]*=)([^&]*)/g, (_all, name, value) => name + piece(value))
    return (query === '' ? path : `${path}?${query}`).slice(0, 2048)
  }

  const formOf = (entries) => {
    const result = {}
    for (const [name, value] of entries) {
      const text = typeof value === 'string' ? value : value.name
      result[name] = name in result ? [result[name], text].flat() : text
    }
    return result
  }

  function bodyOf(body, contentType) {
    if (body === undefined || body === null) return {}
    if (body instanceof FormData) return { contentType: 'multipart/form-data', body: maskedBody(formOf(body)) }
    if (body instanceof URLSearchParams) return { contentType: 'application/x-www-form-urlencoded', body: maskedBody(formOf(body)) }
    if (typeof body !== 'string') return { contentType, body: null }
    if (contentType?.includes('x-www-form-urlencoded')) return { contentType, body: maskedBody(formOf(new URLSearchParams(body))) }
    try {
      return { contentType: contentType?.includes('json') ? contentType : 'application/json', body: maskedBody(JSON.parse(body)) }
    } catch {
      return { contentType: contentType ?? 'text/plain', body: masked(begin(body, 16_000)) }
    }
  }

  /** Keeps what a later call may refer to: texts and numbers that look like identifiers. */
  function collect(value, of, pointer, depth) {
    if (depth > 6 || refs.size >= refsMax) return
    if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value))
        collect(item, of, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1)
      return
    }
    const isName = typeof value === 'string' && value.length <= 128 && /^[\w.:=+/-]{4,}$/.test(value) && /\d/.test(value)
    const isNumber = typeof value === 'number' && Number.isInteger(value) && value >= 1000
    if ((isName || isNumber) && !/[⟦⟧]/.test(pointer)) refs.set(String(value), `⟦response:${of}:${pointer}⟧`)
  }

  function requested(method, href, body, contentType) {
    const request = { method: method.toUpperCase(), url: maskedUrl(new URL(href, location.href).href), ...bodyOf(body, contentType) }
    const event = { sequence: sequence(), at: new Date().toISOString(), kind: 'request', url: here(), request }
    if (!/^https?:/.test(request.url)) return undefined
    pending.set(event.sequence, event)
    return event
  }

  function responded(event, status, contentType, text) {
    if (event === undefined || !pending.delete(event.sequence)) return
    event.request.status = status
    queue.push(event)
    if (!contentType?.includes('json') || text === undefined || text.length > 200_000) return
    try {
      collect(JSON.parse(text), event.sequence, '', 0)
    } catch {
      return // Not JSON.
    }
    keep(storageKey, [...refs])
  }

  window.fetch = async (resource, options) => {
    const from = resource instanceof Request ? resource : undefined
    const body = options?.body ?? (from === undefined || from.body === null ? undefined : await from.clone().text())
    const contentType = new Headers(options?.headers ?? from?.headers).get('content-type') ?? undefined
    const event = requested(
      options?.method ?? from?.method ?? 'GET',
      resource instanceof Request ? resource.url : resource instanceof URL ? resource.href : resource,
      body,
      contentType,
    )
    const response = await nativeFetch(resource, options)
    // Read before the page goes on, so that a call which uses it comes later.
    const text = response.headers.get('content-type')?.includes('json')
      ? await response
          .clone()
          .text()
          .catch(() => undefined)
      : undefined
    responded(event, response.status, response.headers.get('content-type'), text)
    return response
  }

  const { open, send, setRequestHeader } = XMLHttpRequest.prototype
  const calls = new WeakMap()
  XMLHttpRequest.prototype.open = function (method, href, ...rest) {
    calls.set(this, { method, href: String(href), contentType: undefined })
    return open.call(this, method, href, ...rest)
  }
  XMLHttpRequest.prototype.setRequestHeader = function (name, value) {
    const call = calls.get(this)
    if (call !== undefined && name.toLowerCase() === 'content-type') call.contentType = value
    return setRequestHeader.call(this, name, value)
  }
  XMLHttpRequest.prototype.send = function (body) {
    const call = calls.get(this)
    const event = call === undefined ? undefined : requested(call.method, call.href, body ?? undefined, call.contentType)
    this.addEventListener('load', () => {
      const text =
        this.responseType === '' || this.responseType === 'text'
          ? this.responseText
          : this.responseType === 'json'
            ? JSON.stringify(this.response)
            : undefined
      responded(event, this.status, this.getResponseHeader('content-type'), text)
    })
    return send.call(this, body)
  }

  // --- Pages

  const arrived = () => push({ kind: 'navigate', url: here(), title: cut(document.title, 300) })
  for (const name of ['pushState', 'replaceState']) {
    const native = history[name].bind(history)
    history[name] = (...args) => {
      native(...args)
      arrived()
    }
  }
  addEventListener('popstate', arrived)
  addEventListener('pagehide', () => flush(true))
  setInterval(() => flush(false), 500)
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', arrived)
  else arrived()
})()
