// A knock on wood, made on the spot: no file to load.

import { settings } from "./settings.svelte";

let audio: AudioContext | null = null;

export function knock(strong = false) {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  const length = Math.floor(audio.sampleRate * 0.09);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++)
    data[i] = (Math.random() * 2 - 1) * Math.exp(-i / (length * 0.12));
  const source = audio.createBufferSource();
  const tone = audio.createBiquadFilter();
  const volume = audio.createGain();
  tone.type = "bandpass";
  tone.frequency.value = strong ? 380 : 620;
  tone.Q.value = 2.2;
  volume.gain.value = strong ? 0.9 : 0.6;
  source.buffer = buffer;
  source.connect(tone).connect(volume).connect(audio.destination);
  source.start();
}
