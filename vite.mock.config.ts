import { defineConfig, mergeConfig } from 'vite'
import { mockBackEnd } from './scripts/mock-back-end.ts'
import base from './vite.config.ts'

/** A file of its own, as Vite loads everything that its configuration names, and a build has no development dependencies. */
export default defineConfig((env) => mergeConfig(base(env), { plugins: mockBackEnd() }))
