import "./app.css";
import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("app");
if (target) mount(App, { target });

// The site works without a network after the first visit; browsers refuse that for insecure addresses.
if (import.meta.env.MODE === "site") navigator.serviceWorker?.register("sw.js").catch(() => {});
