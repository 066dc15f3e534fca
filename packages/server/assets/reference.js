// Finds, folds and copies; the page is complete without it.
const root = document.documentElement
const find = document.getElementById('find')
const nav = document.getElementById('nav')
const menu = document.getElementById('menu')

/** Storage can be forbidden; then the choice lasts as long as the page. */
function stored(value) {
  try {
    if (value !== undefined) localStorage.setItem('millrace-theme', value)
    return localStorage.getItem('millrace-theme')
  } catch {
    return null
  }
}

const chosen = stored()
if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen

document.getElementById('theme').addEventListener('click', () => {
  const dark = root.dataset.theme === 'dark' || (root.dataset.theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.theme = dark ? 'light' : 'dark'
  stored(root.dataset.theme)
})

function toggleMenu(open) {
  nav.classList.toggle('open', open)
  menu.setAttribute('aria-expanded', String(nav.classList.contains('open')))
}
menu.addEventListener('click', () => toggleMenu())
nav.addEventListener('click', (event) => {
  if (event.target.closest('a') !== null) toggleMenu(false)
})

function filter() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean)
  let shown = 0
  for (const section of document.querySelectorAll('.operation')) {
    const matches = words.every((word) => section.dataset.find.includes(word))
    section.hidden = !matches
    if (matches) shown++
    const entry = nav.querySelector(`[data-for="${CSS.escape(section.id)}"]`)
    if (entry !== null) entry.hidden = !matches
  }
  for (const group of document.querySelectorAll('.group')) group.hidden = group.querySelector('.operation:not([hidden])') === null
  for (const tag of nav.querySelectorAll('.tag')) tag.hidden = tag.querySelector('li:not([hidden])') === null
  for (const section of document.querySelectorAll('#top, #start')) section.hidden = words.length > 0
  document.getElementById('nothing').hidden = shown > 0
}
find.addEventListener('input', filter)

document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== find) {
    event.preventDefault()
    find.focus()
  }
  if (event.key === 'Escape' && document.activeElement === find) {
    find.value = ''
    filter()
    find.blur()
  }
})

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.parentElement.querySelector('code').textContent)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Select and copy by hand'
  }
  setTimeout(() => (button.textContent = 'Copy'), 1500)
}
document.addEventListener('click', (event) => {
  const button = event.target.closest('.copy')
  if (button !== null) void copy(button)
})

// An id in the address opens what holds it, and the entry of the section in view is marked.
const seen = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue
      nav.querySelector('[aria-current]')?.removeAttribute('aria-current')
      nav.querySelector(`[data-for="${CSS.escape(entry.target.id)}"] a`)?.setAttribute('aria-current', 'true')
    }
  },
  { rootMargin: '-20% 0px -70% 0px' },
)
for (const section of document.querySelectorAll('.operation')) seen.observe(section)
