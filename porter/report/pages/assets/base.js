'use strict';
// Functions that all modules share. Text reaches the page only as text nodes and attributes, never as HTML.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

// New element; `properties` with a `-` in the name become attributes, functions become listeners.
function make(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (key in element && !key.includes('-') && key !== 'list') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

const unpacked = new Map();

// Promise of the data in an embedded block: base64, zlib, JSON.
function unpack(id) {
  if (!unpacked.has(id)) unpacked.set(id, read(id));
  return unpacked.get(id);
}

async function read(id) {
  const block = document.getElementById(id);
  if (!block) return null;
  const text = atob(block.textContent);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

// Value of localStorage; null where the browser refuses storage for files.
function stored(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

function store(key, value) {
  try { localStorage.setItem(key, value); } catch { /* The page works without storage. */ }
}

const encoded = value => encodeURIComponent(value).replace(/%2F/g, '/').replace(/%3A/g, ':');
const linkTo = (kind, value) => `#${kind}=${encoded(value)}`;
const plural = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

// Text of a source with its control characters made visible.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
function visible(text) {
  return text.replace(/\r$/, '').replace(CONTROL,
    char => `\\u${char.codePointAt(0).toString(16).padStart(4, '0')}`);
}

function announce(text) {
  let status = $('#status');
  if (!status) {
    status = make('p', { id: 'status', role: 'status', className: 'skip' });
    document.body.append(status);
  }
  status.textContent = text;
}
