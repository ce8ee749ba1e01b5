import { defineConfig, mergeConfig } from 'vite'
import { mockBackEnd } from './scripts/mock-back-end.ts'
import base from './vite.config.ts'

/** A separate file, because Vite loads all imports of its configuration, and builds lack development packages. */
export default defineConfig((env) => mergeConfig(base(env), { plugins: mockBackEnd() }))
